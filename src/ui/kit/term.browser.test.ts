import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import Term from './Term.svelte';

let shown: Record<string, unknown> | null = null;

/** A term where `html` has a slot for it, and a button behind it all. */
function show(html = '<p><span id="slot"></span></p>', name = 'Ply'): { button: HTMLElement; panel: HTMLElement } {
  document.body.innerHTML = `${html}<button id="after">after</button>`;
  shown = mount(Term, { target: document.getElementById('slot')!, props: { name } });
  flushSync();
  return { button: document.querySelector('#slot button')!, panel: document.querySelector('#slot [popover]')! };
}

const isOpen = (panel: HTMLElement) => panel.matches(':popover-open');
/** The panel opens at once; that it is open is told a moment later. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 50));

beforeEach(() => window.focus());
afterEach(async () => {
  if (shown) await unmount(shown);
  shown = null;
});

describe('Term', () => {
  it.each(['{Enter}', ' '])('is opened and closed by "%s", and says so', async (key) => {
    const { button, panel } = show();
    expect(button.textContent).toBe('Ply');
    expect([isOpen(panel), button.ariaExpanded]).toEqual([false, 'false']);
    await userEvent.keyboard(`{Tab}${key}`);
    await settled();
    expect(document.activeElement).toBe(button);
    expect([isOpen(panel), button.ariaExpanded]).toEqual([true, 'true']);
    expect(panel.textContent).toContain('One move of one side.');
    await userEvent.keyboard(key);
    await settled();
    expect([isOpen(panel), button.ariaExpanded]).toEqual([false, 'false']);
  });

  it('is left by Escape with the focus back on it, and by a click elsewhere', async () => {
    const { button, panel } = show();
    await userEvent.click(button);
    expect(isOpen(panel)).toBe(true);
    await userEvent.keyboard('{Escape}');
    expect(isOpen(panel)).toBe(false);
    expect(document.activeElement).toBe(button);
    await userEvent.click(button);
    await userEvent.click(document.getElementById('after')!);
    expect(isOpen(panel)).toBe(false);
  });

  it('closes where the page is scrolled under it', async () => {
    const { button, panel } = show(
      '<div id="box" style="height:60px;overflow:auto"><p style="height:900px"><span id="slot"></span></p></div>',
    );
    await userEvent.click(button);
    await settled();
    expect(isOpen(panel)).toBe(true);
    document.getElementById('box')!.scrollTop = 40;
    await settled();
    expect(isOpen(panel)).toBe(false);
  });

  it('lies within the window, whole, where a table’s scrolling would cut it off', async () => {
    const { button, panel } = show(
      '<div style="overflow:auto;width:90px;height:40px;position:fixed;right:0;bottom:0"><table><thead><tr><th id="slot" scope="col"></th></tr></thead></table></div>',
    );
    await userEvent.click(button);
    await settled();
    const { left, right, top, bottom } = panel.getBoundingClientRect();
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(innerWidth);
    expect(top).toBeGreaterThanOrEqual(0);
    expect(bottom).toBeLessThanOrEqual(button.getBoundingClientRect().top);
    expect(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)?.closest('[popover]')).toBe(panel);
  });

  it('leaves a label its control: neither its name nor its clicks are taken', async () => {
    const { button, panel } = show(
      '<label for="games">Games of <span id="slot"></span></label><input id="games" type="checkbox">',
    );
    const input = document.getElementById('games') as HTMLInputElement;
    expect(input.labels).toHaveLength(1);
    await userEvent.click(button);
    expect([isOpen(panel), input.checked]).toEqual([true, false]);
  });

  it('is plain text where the glossary has no such term', () => {
    document.body.innerHTML = '<p id="slot"></p>';
    shown = mount(Term, { target: document.getElementById('slot')!, props: { name: 'piece' } });
    flushSync();
    expect(document.querySelector('#slot button')).toBeNull();
    expect(document.getElementById('slot')!.textContent).toBe('piece');
  });
});
