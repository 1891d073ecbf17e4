import { describe, expect, it } from 'vitest';
import { newSuite, setContent } from '../../studies/syntaxgym/edit-suite.ts';
import { SuiteEditor } from './editor.svelte.ts';

const suite = setContent(newSuite('mine', 'chess'), 0, 'fits', 1, 'e2e4');

describe('the editor', () => {
  it('stores every change and takes changes back', () => {
    const stored: string[] = [];
    const editor = new SuiteEditor(suite, (changed) => stored.push(changed.items[0].conditions[0].regions[1].content));
    editor.change(setContent(editor.suite, 0, 'fits', 1, 'd2d4'));
    editor.change(setContent(editor.suite, 0, 'fits', 1, 'c2c4'));
    editor.undo();
    expect(stored).toEqual(['d2d4', 'c2c4', 'd2d4']);
    editor.undo();
    editor.undo();
    expect(editor.suite).toEqual(suite);
    expect(editor.canUndo).toBe(false);
  });

  it('knows the field of a problem, and stays on an item that there is', () => {
    const editor = new SuiteEditor(suite, () => {});
    expect(editor.idOf({ item: 1, condition: 'fails', region: 2 })).toBe('suite-content-1-1');
    expect(editor.idOf({ prediction: 0, character: 3 })).toBe('suite-prediction-0');
    editor.item = 5;
    editor.change({ ...suite, items: [] });
    expect(editor.item).toBe(0);
    expect(editor.shown).toBeNull();
    expect(editor.problems.map(({ message: text }) => text).join()).toMatch(/no items/);
  });
});
