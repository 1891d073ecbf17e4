import { createRawSnippet, flushSync, mount, unmount, type Component } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import Confirm from './Confirm.svelte';
import DropZone from './DropZone.svelte';
import IconButton from './IconButton.svelte';
import NumberField from './NumberField.svelte';
import Popover from './Popover.svelte';
import Segmented from './Segmented.svelte';

/** Puts a component between two buttons, so that the keyboard has somewhere to come from and to go to. */
function show<Props extends Record<string, unknown>>(component: Component<Props>, props: Props): HTMLElement {
  document.body.innerHTML = '<button>before</button><main></main><button>after</button>';
  const target = document.querySelector('main')!;
  shown = mount(component as Component, { target, props });
  flushSync();
  (document.body.firstElementChild as HTMLElement).focus();
  return target;
}

let shown: Record<string, unknown> | null = null;
const keys = (...text: string[]) => userEvent.keyboard(text.join(''));
const text = (html: string) => createRawSnippet(() => ({ render: () => html }));
const focused = () => document.activeElement as HTMLElement;

beforeEach(() => window.focus());
afterEach(async () => {
  if (shown) await unmount(shown);
  shown = null;
});

describe('Popover', () => {
  const inside = createRawSnippet((close: () => () => void) => ({
    render: () => '<button>Choose</button>',
    setup: (element: Element) => element.addEventListener('click', () => close()()),
  }));
  const open = () => {
    const target = show(Popover, { label: 'Device', trigger: text('<b>WASM</b>'), children: inside });
    return { trigger: target.querySelector('button')!, panel: target.querySelector<HTMLElement>('[role=group]')! };
  };

  it('opens by Enter and by Space, and tells whether it is open', async () => {
    const { trigger, panel } = open();
    expect(trigger.getAttribute('aria-label')).toBe('Device');
    expect(trigger.getAttribute('aria-controls')).toBe(panel.id);
    for (const key of ['{Enter}', ' ']) {
      trigger.focus();
      await keys(key);
      expect([trigger.ariaExpanded, panel.hidden]).toEqual(['true', false]);
      await keys(key);
      expect([trigger.ariaExpanded, panel.hidden]).toEqual(['false', true]);
    }
  });

  it('is left by Escape with the focus back where it was, and only then takes the key', async () => {
    const { trigger, panel } = open();
    const heard = vi.fn();
    document.body.addEventListener('keydown', heard);
    await keys('{Tab}{Enter}{Tab}');
    expect(focused().textContent).toBe('Choose');
    heard.mockClear();
    await keys('{Escape}');
    expect(panel.hidden).toBe(true);
    expect(focused()).toBe(trigger);
    expect(heard).not.toHaveBeenCalled();
    await keys('{Escape}');
    expect(heard).toHaveBeenCalledOnce();
    document.body.removeEventListener('keydown', heard);
  });

  it('closes where the focus goes elsewhere, and where its content says so', async () => {
    const { trigger, panel } = open();
    await keys('{Tab}{Enter}{Tab}{Tab}');
    expect(focused().textContent).toBe('after');
    expect(panel.hidden).toBe(true);
    trigger.focus();
    await keys('{Enter}{Tab}{Enter}');
    expect(panel.hidden).toBe(true);
  });
});

describe('Segmented', () => {
  it('is one stop of the Tab key, and arrows choose, round the ends', async () => {
    let value = 'b';
    const options = ['a', 'b', 'c'].map((name) => ({ value: name, label: name.toUpperCase() }));
    const target = show(Segmented as unknown as Component<Record<string, unknown>>, {
      ...{ legend: 'Range', options },
      get value() {
        return value;
      },
      set value(chosen) {
        value = chosen;
      },
    });
    expect(target.querySelector('fieldset legend')!.textContent).toBe('Range');
    await keys('{Tab}');
    expect((focused() as HTMLInputElement).labels![0].textContent!.trim()).toBe('B');
    await keys('{ArrowRight}');
    expect(value).toBe('c');
    await keys('{ArrowRight}');
    expect(value).toBe('a');
    await keys('{ArrowLeft}{ArrowUp}');
    expect(value).toBe('b');
    await keys('{Tab}');
    expect(focused().textContent).toBe('after');
  });
});

describe('NumberField', () => {
  const field = (props: object = {}) => {
    const onchange = vi.fn();
    const target = show(NumberField, { label: 'Layers', value: 4, min: 1, max: 12, whole: true, onchange, ...props });
    const input = target.querySelector('input')!;
    expect(input.labels![0].textContent).toContain('Layers');
    return { onchange, input };
  };

  it('tells what is typed and what the arrows step to', async () => {
    const { onchange, input } = field();
    await keys('{Tab}{ArrowUp}');
    expect(onchange).toHaveBeenLastCalledWith(5);
    await userEvent.fill(input, '12');
    expect(onchange).toHaveBeenLastCalledWith(12);
    expect(input.ariaInvalid).toBe('false');
  });

  it.each([
    ['13', 'Between 1 and 12.'],
    ['2.5', 'Write a whole number.'],
    ['', 'Write a number.'],
  ])('does not take "%s", and says why beside the field', async (typed, expected) => {
    const { onchange, input } = field();
    await userEvent.fill(input, typed);
    expect(onchange).not.toHaveBeenCalled();
    expect(input.ariaInvalid).toBe('true');
    const said = document.getElementById(input.getAttribute('aria-describedby')!)!;
    expect([said.role, said.textContent]).toEqual(['alert', expected]);
    await userEvent.fill(input, '3');
    expect(onchange).toHaveBeenLastCalledWith(3);
    expect([input.ariaInvalid, input.hasAttribute('aria-describedby')]).toEqual(['false', false]);
  });

  it('takes an empty field where that means something', async () => {
    const { onchange, input } = field({ none: 'all' });
    expect(input.placeholder).toBe('all');
    await userEvent.fill(input, '');
    expect(onchange).toHaveBeenLastCalledWith(null);
  });
});

describe('DropZone', () => {
  const zone = (disabled: boolean) => {
    const [onchoose, ondropped] = [vi.fn(), vi.fn()];
    const props = { accept: '.pgn', disabled, onchoose, ondropped, children: text('<span>Games</span>') };
    return { target: show(DropZone, props), onchoose, ondropped };
  };
  const drop = (target: HTMLElement) => {
    const event = new DragEvent('drop', { dataTransfer: new DataTransfer(), cancelable: true, bubbles: true });
    target.querySelector('label')!.dispatchEvent(event);
    expect(event.defaultPrevented).toBe(true);
  };

  it('is reached by the keyboard under its own words, and takes the same file twice', async () => {
    const { target, onchoose, ondropped } = zone(false);
    await keys('{Tab}');
    const input = target.querySelector('input')!;
    expect(focused()).toBe(input);
    expect(input.labels![0].textContent).toContain('Games');
    const file = new File(['1. e4 *'], 'mine.pgn');
    for (const times of [1, 2]) {
      await userEvent.upload(input, file);
      expect(onchoose).toHaveBeenCalledTimes(times);
      expect(onchoose.mock.lastCall![0].map(({ name }: File) => name)).toEqual(['mine.pgn']);
      expect(input.value).toBe('');
    }
    drop(target);
    expect(ondropped).toHaveBeenCalledOnce();
  });

  it('is passed over and deaf where it is disabled, and still keeps the browser from opening what is dropped', async () => {
    const { target, ondropped } = zone(true);
    await keys('{Tab}');
    expect(focused().textContent).toBe('after');
    drop(target);
    expect(ondropped).not.toHaveBeenCalled();
  });
});

describe('Confirm', () => {
  const ask = () => {
    const onconfirm = vi.fn();
    const texts = {
      title: (run: string) => `Delete ${run}?`,
      description: 'Its checkpoints go, too.',
      action: 'Delete',
    };
    const target = show(Confirm<string>, { asked: 'the run', ...texts, onconfirm });
    return { dialog: target.querySelector('dialog')!, open: () => target.querySelector('dialog') !== null, onconfirm };
  };
  const named = (dialog: Element, attribute: string) =>
    document.getElementById(dialog.getAttribute(attribute)!)!.textContent;

  it('is a modal dialog by name, and begins at the harmless answer', async () => {
    const { dialog, open, onconfirm } = ask();
    expect(dialog.matches(':modal')).toBe(true);
    expect([named(dialog, 'aria-labelledby'), named(dialog, 'aria-describedby')]).toEqual([
      'Delete the run?',
      'Its checkpoints go, too.',
    ]);
    expect(focused().textContent).toBe('Keep it');
    await keys('{Enter}');
    expect(onconfirm).not.toHaveBeenCalled();
    expect(open()).toBe(false);
  });

  it('is confirmed by keyboard alone', async () => {
    const { open, onconfirm } = ask();
    await keys('{Tab}');
    expect(focused().textContent).toBe('Delete');
    await keys(' ');
    expect(onconfirm.mock.calls).toEqual([['the run']]);
    expect(open()).toBe(false);
  });

  it('is refused by Escape', async () => {
    const { open, onconfirm } = ask();
    await keys('{Escape}');
    expect(onconfirm).not.toHaveBeenCalled();
    expect(open()).toBe(false);
  });
});

describe('IconButton', () => {
  it('has its label as name and tooltip, and is pressed by Enter and Space', async () => {
    const onclick = vi.fn();
    const button = show(IconButton, { icon: 'close', label: 'Close', onclick }).querySelector('button')!;
    expect([button.ariaLabel, button.title]).toEqual(['Close', 'Close']);
    await keys('{Tab}');
    expect(focused()).toBe(button);
    await keys('{Enter}', ' ');
    expect(onclick).toHaveBeenCalledTimes(2);
  });

  it('is passed over where it is disabled', async () => {
    show(IconButton, { icon: 'close', label: 'Close', disabled: true, onclick: () => {} });
    await keys('{Tab}');
    expect(focused().textContent).toBe('after');
  });
});
