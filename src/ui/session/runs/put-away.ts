import type { RunRecord } from '../../../../workers/train/protocol.ts';
import { keep, keptJson } from '../kept.ts';

const KEY = 'blindfold.put-away';
/** More are never of use: the list of runs is looked through by hand. */
const MOST = 100;

/** An interruption: the same run cut off again later is another. */
type Interrupted = Pick<RunRecord, 'id' | 'updatedAt'>;

const nameOf = ({ id, updatedAt }: Interrupted): string => `${id} ${updatedAt}`;

/** Interruptions that a person has been told of and has put away, kept in this browser. */
export function putAwayBefore(): readonly string[] {
  const stored = keptJson(KEY);
  return Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : [];
}

export function isPutAway(names: readonly string[], run: Interrupted): boolean {
  return names.includes(nameOf(run));
}

/** The names with one more, which are kept where the browser keeps anything. */
export function putAway(names: readonly string[], run: Interrupted): readonly string[] {
  const all = [...names, nameOf(run)].slice(-MOST);
  keep(KEY, JSON.stringify(all));
  return all;
}
