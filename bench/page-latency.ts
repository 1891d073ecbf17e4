import type { Page } from 'playwright-core';
import { median } from './interleave.ts';

export interface Latency {
  medianMs: number;
  p95Ms: number;
}

/** Milliseconds from the navigation until the prompt can be edited, and until the shipped model's first answer is painted. */
export async function opening(page: Page, address: string): Promise<{ interactiveMs: number; answeredMs: number }> {
  // As text, since tsx would wrap named functions in a helper that the page has not.
  await page.addInitScript(`
    globalThis.opened = {};
    new MutationObserver((_, observer) => {
      if (document.querySelector('textarea:not([disabled])')) opened.interactiveMs ??= Math.round(performance.now());
      if (!document.querySelector('ol[data-prompt]')) return;
      observer.disconnect();
      requestAnimationFrame(() => (opened.answeredMs = Math.round(performance.now())));
    }).observe(document, { childList: true, subtree: true });
  `);
  await page.goto(address);
  // A function: the page's policy refuses the eval that Playwright puts around a text. No type tells of the script's mark.
  await page.waitForFunction(
    () => (globalThis as unknown as { opened: { answeredMs?: number } }).opened.answeredMs !== undefined,
  );
  return page.evaluate('opened');
}

const ENDS = ['b1', 'g1', 'N', 'e2', 'K', 'd2', 'P', 'c2', 'Q', 'a2'];

/** Milliseconds from a prompt of 60 plies, the i-th of ten, that is typed into the page to its painted answer. */
export function answerTime(page: Page, i: number): Promise<number> {
  const question = 'g1f3 g8f6 f3g1 f6g8 '.repeat(15) + ENDS[i % ENDS.length];
  return page.evaluate(`(async () => {
    const field = document.querySelector('textarea');
    const answered = new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('no answer to ${question}')), 5000);
      const watch = new MutationObserver(() => {
        // The list names the prompt that it answers.
        if (!document.querySelector('ol[data-prompt="${question}"]')) return;
        watch.disconnect();
        clearTimeout(late);
        resolve();
      });
      watch.observe(document.body, { subtree: true, childList: true, attributeFilter: ['data-prompt'] });
    });
    const before = performance.now();
    field.value = '${question}';
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await answered;
    return performance.now() - before;
  })()`);
}

/** Times of sixty prompts, asked while the page's run trains. */
export async function promptsWhileTraining(page: Page): Promise<Latency> {
  const times: number[] = [];
  for (let i = 0; i < 60; i++) {
    times.push(await answerTime(page, i));
    await page.waitForTimeout(70);
  }
  return { medianMs: Math.round(median(times)), p95Ms: Math.round(percentile(times, 95)) };
}

/** The smallest of the values that so many percent of them do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil((percent / 100) * values.length) - 1)];
}
