import { describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { subject } from '../../../fixtures/hand-made.ts';
import { unwrap } from '../../base/result.ts';
import { checkSuite } from './check-suite.ts';
import { describeFormula } from './describe-formula.ts';
import {
  addCondition,
  addItem,
  addRegion,
  copyItem,
  moveCondition,
  moveRegion,
  newSuite,
  removeCondition,
  removeItem,
  removeRegion,
  renameCondition,
  setContent,
  setPrediction,
  withoutSurprisals,
} from './edit-suite.ts';
import { predictionsCsv, surprisalsCsv } from './formats/site-csv.ts';
import { parseFormula } from './parse-formula.ts';
import { readSuite } from './read-suite.ts';
import { sentenceBoard, sentenceState } from './sentence-state.ts';
import { readingsOf, unreadSuites } from './stored-readings.ts';
import type { SyntaxGymAssessment } from './study.ts';
import { conditionNames, regionNames, type Suite } from './suite.ts';

const published = unwrap(
  readSuite(readFileSync(new URL('../../../fixtures/suites/number_prep.json', import.meta.url), 'utf8'), 'number_prep'),
);
const formulas = ({ predictions }: Suite) => predictions.map(({ formula }) => formula);

describe('edits', () => {
  it('begin with a suite that has no error and end with one', () => {
    const begun = newSuite('mine', 'chess');
    expect(checkSuite(begun).filter(({ kind }) => kind === 'error')).toEqual([]);
    const grown = addItem(addRegion(addCondition(setContent(begun, 0, 'fits', 1, 'e2e4'))));
    expect(checkSuite(grown).filter(({ kind }) => kind === 'error')).toEqual([]);
    expect(conditionNames(grown)).toEqual(['fits', 'fails', 'condition']);
    expect(regionNames(grown)).toEqual(['context', 'answer', 'region 3']);
    expect(grown.items.map(({ item_number }) => item_number)).toEqual([1, 2]);
    expect(grown.items[0].conditions[0].regions[1].content).toBe('e2e4');
    expect(removeItem(copyItem(grown, 0), 1)).toEqual(grown);
    expect(conditionNames(moveCondition(grown, 'condition', 0))).toEqual(['condition', 'fits', 'fails']);
    expect(begun).toEqual(newSuite('mine', 'chess'));
  });

  it('let formulas refer to the same regions and conditions, and keep the rest of their text', () => {
    const last = regionNames(published).length - 1;
    const turned = moveRegion(published, last, 0);
    expect(turned.items[0].conditions[0].regions.map(({ region_number }) => region_number)).toEqual(
      published.items[0].conditions[0].regions.map(({ region_number }) => region_number),
    );
    expect(formulas(turned)[0]).toBe(formulas(published)[0]!.replaceAll('(6;', '(7;'));
    expect(moveRegion(turned, 0, last)).toEqual(published);
    const renamed = renameCondition(published, 'match_sing', 'right-sing');
    expect(formulas(renamed)[0]).toBe(formulas(published)[0]!.replaceAll('%match_sing%', '%right-sing%'));
    expect(checkSuite(renamed).filter(({ kind }) => kind === 'error')).toEqual([]);
  });

  it('leave an error where a formula refers to what was removed', () => {
    const messages = (suite: Suite) => checkSuite(suite).map(({ message }) => message);
    expect(messages(removeRegion(published, 5)).join()).toMatch(/there is no region 0/);
    expect(messages(removeCondition(published, 'match_sing')).join()).toMatch(/there is no condition "match_sing"/);
  });
});

it('a formula is described by the names of its regions', () => {
  const described = (text: string) => describeFormula(unwrap(parseFormula(text)), ['game', 'answer']);
  expect(described('(2;%a%) < (2;%b%)')).toBe('The surprisal of “answer” of a is less than “answer” of b');
  expect(described('[(1;%a%) - (2;%a%)] > 0.5 & (*;%a%) = (*;%b%)')).toBe(
    'The surprisal of “game” of a minus “answer” of a is more than 0.5, and the whole of a equals the whole of b',
  );
});

describe('the state that a sentence leads to', () => {
  it('stands before its last event, or before the first that the rules forbid', () => {
    expect(sentenceState('chess', 'e2e4 e7e5 g1f3')).toMatchObject({ line: 'e2e4 e7e5', next: 'g1f3', legal: true });
    const broken = sentenceState('chess', 'e2e4 e2e4 g1f3')!;
    expect(broken).toMatchObject({ line: 'e2e4', next: 'e2e4', legal: false });
    expect(sentenceBoard(broken)).toMatchObject({ framed: 12, answered: { square: 28, right: false } });
    expect(sentenceState('chess', '')).toMatchObject({ line: '', next: null });
    expect(sentenceState('baseball', '<sog> <newbatter> (id_100) <ball> <fly>')).toMatchObject({ legal: false });
    expect(sentenceBoard(sentenceState('baseball', '')!)).toBeNull();
    expect(sentenceState(undefined, 'The cat')).toBeNull();
    expect(sentenceState('__proto__', 'x')).toBeNull();
  });
});

describe('stored readings', () => {
  const asked = (suite: Suite): SyntaxGymAssessment => ({
    subject,
    suites: [
      {
        suite: {
          ...suite,
          meta: { ...suite.meta, model: subject.name },
          items: suite.items.map((item) => ({
            ...item,
            conditions: item.conditions.map((condition) => ({
              ...condition,
              regions: condition.regions.map((region) => ({ ...region, metric_value: { sum: 1.5 }, oovs: [] })),
            })),
          })),
        },
        unanswered: [],
        chance: 0.25,
      },
    ],
  });
  const suite = newSuite('mine', 'chess');

  it('are found for the same sentences, whatever the predictions are by now', () => {
    const stored = asked(suite);
    expect(unreadSuites([suite], subject, [stored])).toEqual([]);
    const changed = setPrediction(suite, 0, '(2;%fits%) > (2;%fails%)');
    const found = readingsOf([changed], [stored])!;
    expect(found.suites[0].suite.predictions).toEqual(changed.predictions);
    expect(found.suites[0].suite.items).toEqual(stored.suites[0].suite.items);
    expect(found.suites[0].chance).toBeCloseTo(0.5, 1);
    expect(withoutSurprisals(found.suites[0].suite)).toEqual(changed);
  });

  it('are not found for other sentences, metrics or steps', () => {
    const stored = asked(suite);
    const other = setContent(suite, 0, 'fits', 0, 'e2e4');
    expect(readingsOf([other], [stored])).toBeNull();
    expect(unreadSuites([other, suite], subject, [stored])).toEqual([other]);
    expect(unreadSuites([{ ...suite, meta: { ...suite.meta, metric: 'mean' } }], subject, [stored])).toHaveLength(1);
    expect(unreadSuites([suite], { ...subject, steps: subject.steps + 1 }, [stored])).toEqual([suite]);
  });

  it('are written as the site did', () => {
    const readings = [{ model: 'a "b"', suite: asked(setContent(suite, 0, 'fits', 1, 'e2e4')).suites[0].suite }];
    expect(surprisalsCsv(readings).split('\n').slice(0, 3)).toEqual([
      'suite,model_name,item_number,condition_name,region_number,region_name,content,metric_value',
      'mine,"a ""b""",1,fits,1,context,,1.5',
      'mine,"a ""b""",1,fits,2,answer,e2e4,1.5',
    ]);
    expect(predictionsCsv(readings).split('\n')[1]).toBe('mine,"a ""b""",0,(2;%fits%) < (2;%fails%),1,False');
  });
});
