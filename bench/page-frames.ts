import type { Page } from 'playwright-core';

/** Has the page note when it draws; `framesOf` takes what it noted since the last time. */
export async function noteFrames(page: Page): Promise<void> {
  // As text, since tsx would wrap named functions in a helper that the page has not.
  await page.evaluate(`
    globalThis.frames = [];
    requestAnimationFrame(function tick(time) {
      frames.push(time);
      requestAnimationFrame(tick);
    });
  `);
}

/** Milliseconds between the frames since the last time that this was asked. */
export async function framesOf(page: Page): Promise<number[]> {
  const frames: number[] = await page.evaluate('frames.splice(0, Math.max(0, frames.length - 1))');
  return frames.slice(1).map((time, i) => time - frames[i]);
}

/** Frames that gaps left out, at sixty a second. */
export const lostFrames = (gaps: readonly number[]): number =>
  gaps.reduce((lost, gap) => lost + Math.max(0, Math.round((gap * 60) / 1000) - 1), 0);
