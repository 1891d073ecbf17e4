import { fail, ok, type Result } from '../base/result.ts';
import { bigbench } from './bigbench/study.ts';
import { boardMap, endMap } from './board-map/study.ts';
import { equivalence } from './equivalence/study.ts';
import { play } from './play/study.ts';
import { strength } from './play/strength-study.ts';
import { selfPlay } from './self-play/study.ts';
import { soundness } from './soundness/study.ts';
import { stateMap } from './splat/state-map-study.ts';
import { splat } from './splat/study.ts';
import type { AnyStudy, StoredAnswers } from './study.ts';
import { syntaxgym } from './syntaxgym/study.ts';
import { testbed } from './testbed/study.ts';
import { whatIf } from './what-if/study.ts';

/** Everything that can be asked of a model. One folder and one line here add a study to workers, page, reports and command line. */
export const STUDIES: AnyStudy[] = [
  testbed,
  splat,
  selfPlay,
  soundness,
  strength,
  equivalence,
  bigbench,
  syntaxgym,
  boardMap,
  endMap,
  whatIf,
  stateMap,
  play,
];

/** A study whose assessments are stored, compared and reported. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as in AnyStudy
export type StoredStudy = AnyStudy & { stored: StoredAnswers<any> };

export function storedStudies(): StoredStudy[] {
  return STUDIES.filter((study): study is StoredStudy => study.stored !== null);
}

export function studyNamed(name: string): Result<AnyStudy> {
  const study = STUDIES.find((one) => one.name === name);
  if (study) return ok(study);
  return fail('no-study', `There is no study "${name}"; there are ${STUDIES.map((one) => one.name).join(', ')}.`);
}

/** The studies that can ask a model, in the list's order. */
export function studiesOf(model: { domain: string; notation: string }): AnyStudy[] {
  return STUDIES.filter((study) => study.appliesTo(model));
}
