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
  await page.waitForFunction('opened.answeredMs !== undefined');
  return page.evaluate('opened');
}

/** From a prompt of 60 plies, typed while the page's run trains, to its painted answer: sixty times. */
export async function promptsWhileTraining(page: Page): Promise<Latency> {
  const times: number[] = await page.evaluate(`(async () => {
    const field = document.querySelector('textarea');
    const times = [];
    for (let i = 0; i < 60; i++) {
      const question = 'g1f3 g8f6 f3g1 f6g8 '.repeat(15) + ['b1', 'g1', 'N', 'e2', 'K', 'd2', 'P', 'c2', 'Q', 'a2'][i % 10];
      const answered = new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error('no answer to ' + question)), 5000);
        const watch = new MutationObserver(() => {
          // The list names the prompt that it answers.
          if (!document.querySelector('ol[data-prompt="' + question + '"]')) return;
          watch.disconnect();
          clearTimeout(late);
          resolve();
        });
        watch.observe(document.body, { subtree: true, childList: true, attributeFilter: ['data-prompt'] });
      });
      const before = performance.now();
      field.value = question;
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      await answered;
      times.push(performance.now() - before);
      await new Promise((resolve) => setTimeout(resolve, 70));
    }
    return times;
  })()`);
  times.sort((a, b) => a - b);
  const p95 = times[Math.ceil(0.95 * times.length) - 1];
  return { medianMs: Math.round(median(times)), p95Ms: Math.round(p95) };
}
