import { Budget } from '../../base/budget.ts';
import { excerpt } from '../../base/excerpt.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { VerbWriter, type Movement, type Recorded, type VerbGame } from './verb-writer.ts';

type Attributes = Record<string, string>;
interface Tag {
  name: string;
  closing: boolean;
  /** True for an element without content. */
  empty: boolean;
  attributes: Attributes;
}

/**
 * A game of MLB Gameday (inning_all.xml, 2008 to 2018) as SPLAT verbs. Everything in these files stands in attributes of
 * a dozen tags, so they are read tag by tag; an XML library was rejected as too much for one retired format.
 * Its own record is the outs of every plate appearance and the score where it changes. Runners put out have no base at
 * their end, and so have those left on base at the third out: only as many are out as the record has outs. Pinch runners
 * are told by where a new id stands. Failures: `bad-gameday`.
 */
export function gamedayVerbs(text: string, name: string, budget = new Budget(name)): Result<VerbGame> {
  const wrong = (message: string) => fail('bad-gameday', `${name}: ${message}`, { file: name });
  if (text.trim() === '') return wrong('the file is empty.');
  if (!/<\/game>\s*$/.test(text)) return wrong('the end of the game (</game>) is missing; download the file again.');
  const writer = new VerbWriter();
  const records: Recorded[] = [];
  const teams = { away: '', home: '' };
  const runs: [number, number] = [0, 0];
  let now = { inning: 0, half: 0 };
  let appearance: { attributes: Attributes; steps: Tag[] } | null = null;
  let found = 0;
  let tags = 0;
  for (const tag of tagsOf(text)) {
    budget.values(++tags, name);
    const { name: kind, attributes, closing } = tag;
    if (kind === 'inning' && !closing) {
      now = { inning: Number(attributes.num), half: 0 };
      if (!(now.inning >= 1)) return wrong(`an inning has the number ${excerpt(attributes.num ?? null)}.`);
      teams.away ||= attributes.away_team ?? '';
      teams.home ||= attributes.home_team ?? '';
    } else if ((kind === 'top' || kind === 'bottom') && !closing) {
      const half = kind === 'top' ? 0 : 1;
      if (found > 0 && writer.outs !== 3) writer.problem(`inning ${now.inning}`, `begins after ${writer.outs} outs`);
      now = { ...now, half };
      writer.begins(now);
    } else if (kind === 'atbat' && !closing) {
      appearance = { attributes, steps: [] };
      if (tag.empty) finish();
    } else if (kind === 'atbat') finish();
    else if (appearance && !closing) appearance.steps.push(tag);
  }
  if (found === 0) return wrong('no plate appearances (<atbat>) were found; is this an inning_all.xml?');
  const id = /gid_[\w-]+/.exec(name)?.[0] ?? name.replace(/^.*\//, '').replace(/\.xml$/, '');
  return ok({ id, ...teams, tokens: writer.tokens, records, runs, problems: writer.problems });

  function finish(): void {
    if (appearance === null) return;
    const { attributes, steps } = appearance;
    appearance = null;
    found++;
    const at = `plate appearance ${attributes.num ?? found}`;
    writer.begin(attributes.batter);
    const lastPitch = steps.findLastIndex(({ name }) => name === 'pitch');
    const outsAfter = Number(attributes.o);
    steps.forEach(({ name, attributes: step }, i) => {
      if (name === 'pitch') {
        const pitch = pitchOf(step);
        if (pitch) writer.pitch(pitch);
      } else if (name === 'runner' && i < lastPitch) moveRunners([step], outsAfter, false, at);
    });
    const hit = HITS.has((attributes.event ?? '').toLowerCase());
    if (hit) writer.hit();
    const ending = steps.slice(lastPitch + 1).filter(({ name }) => name === 'runner');
    const runners = ending.map(({ attributes }) => attributes);
    // The batter's own out is told by the outs alone.
    const batterStays = runners.some(({ start }) => start === '') || RUNNING.test(attributes.event ?? '');
    moveRunners(
      batterStays ? runners : [...runners, { id: attributes.batter, start: '', end: '' }],
      outsAfter,
      hit,
      at,
    );
    records.push({ at, tokens: writer.tokens.length, ...now, outs: outsAfter, runners: null, count: null });
    writer.end();
    for (const [side, key] of ['away_team_runs', 'home_team_runs'].entries())
      if (attributes[key] !== undefined) runs[side] = Number(attributes[key]);
  }

  /** Outs go to the batter first, then to the runners nearest home, as far as the record has outs. */
  function moveRunners(runners: readonly Attributes[], outsAfter: number, hit: boolean, at: string): void {
    let outs = outsAfter - writer.outs;
    const moves = runners
      .map(({ id, start, end, score }) => {
        const to = score === 'T' ? 4 : (BASE_NUMBERS[end] ?? -1);
        return { id, from: BASE_NUMBERS[start] ?? 0, to };
      })
      .sort((a, b) => a.from - b.from);
    const movements: Movement[] = [];
    for (const { id, from, to } of moves) {
      if (from > 0) writer.substitute(id, from);
      if (to >= 0) movements.push({ from, to, out: false });
      else if (outs-- > 0) movements.push({ from, to: from + 1, out: true });
    }
    writer.move(
      movements.sort((a, b) => b.from - a.from),
      !hit,
      at,
    );
  }
}

const BASE_NUMBERS: Record<string, number | undefined> = { '1B': 1, '2B': 2, '3B': 3 };
const HITS = new Set(['single', 'double', 'triple', 'home run']);
/** Events that end a half without the batter. */
const RUNNING = /^(runner out|caught stealing|pickoff|picked off|stolen base|wild pitch|passed ball|balk)/i;

function pitchOf({ type, des = '' }: Attributes): Parameters<VerbWriter['pitch']>[0] | null {
  if (/^hit by pitch/i.test(des) || type === 'X') return null;
  if (type === 'B') return 'ball';
  if (type !== 'S') return null;
  if (/^foul bunt/i.test(des)) return 'foul bunt';
  return /^foul(?! tip)/i.test(des) ? 'foul' : 'strike';
}

function* tagsOf(text: string): Generator<Tag> {
  for (const [, slash, name, inside, end] of text.matchAll(/<(\/?)([a-z_]+)((?:\s+[\w:.-]+="[^"]*")*)\s*(\/?)>/gi)) {
    const attributes: Attributes = {};
    for (const [, key, value] of inside.matchAll(/([\w:.-]+)="([^"]*)"/g)) attributes[key] = value;
    yield { name, closing: slash !== '', empty: end !== '', attributes };
  }
}
