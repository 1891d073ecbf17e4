import type { Movement } from './verb-writer.ts';

/** What the event of one play record does. */
export interface Play {
  /** True where it ends the plate appearance, whatever becomes of the runners. */
  ends: boolean;
  /** True for base hits. */
  hit: boolean;
  /** True for walks and the like, after which the batter's ball is not put in play. */
  strikeout: boolean;
  /** At most one a runner; runners not named stay. The batter is named wherever `ends`. */
  movements: Movement[];
}

/**
 * Reads an event of a play record by Retrosheet's grammar: a basic play, modifiers after slashes, and after a full stop
 * the advances of batter and runners. Null where it follows no rule known here.
 *
 * Explicit advances go over implicit ones. An out on the bases (2X3) does not count where its only fielding credits hold
 * an error ("2X3(6E5)"); a further pair of brackets with a clean put-out lets it stand.
 */
export function readPlay(event: string): Play | null {
  const text = event.replace(/[#!?]/g, '').replace(/\s/g, '');
  const stop = outsideBrackets(text, '.');
  const description = stop < 0 ? text : text.slice(0, stop);
  const slash = outsideBrackets(description, '/');
  const basic = slash < 0 ? description : description.slice(0, slash);
  const advances = readAdvances(stop < 0 ? '' : text.slice(stop + 1));
  const core = advances && readBasic(basic.replace(/(\d)[+-]+$/, '$1'));
  if (!advances || !core) return null;
  const movements = new Map(core.movements.map((movement) => [movement.from, movement]));
  for (const movement of advances) {
    const implied = movements.get(movement.from);
    // A runner that the play itself puts out stays out, except where the advance tells the same more fully.
    if (implied?.out && !movement.out && core.forced) continue;
    movements.set(movement.from, movement);
  }
  return { ...core, movements: [...movements.values()].sort((a, b) => b.from - a.from) };
}

interface Core extends Play {
  /** Outs of the basic play are of force plays and cannot be overridden by an advance. */
  forced: boolean;
}

const moved = (from: number, to: number, out = false): Movement => ({ from, to, out });
const core = (fields: Partial<Core>): Core => ({
  ends: true,
  hit: false,
  strikeout: false,
  forced: false,
  movements: [],
  ...fields,
});
const running = (movements: Movement[]): Core => core({ ends: false, movements });

function readBasic(basic: string): Core | null {
  if (basic === 'NP') return running([]);
  const hit = /^(S|D|T)(\d*)$/.exec(basic);
  if (hit) return core({ hit: true, movements: [moved(0, 'SDT'.indexOf(hit[1]) + 1)] });
  if (/^DGR\d*$/.test(basic)) return core({ hit: true, movements: [moved(0, 2)] });
  if (/^HR?\d*$/.test(basic)) return core({ hit: true, movements: [moved(0, 4)] });
  if (/^(HP|C)$/.test(basic)) return core({ movements: [moved(0, 1)] });
  if (/^FLE\d$/.test(basic)) return running([]);
  if (/^FC\d?$/.test(basic) || /^\d*E\d$/.test(basic)) return core({ movements: [moved(0, 1)] });
  const strikeout = /^K(\d*)(?:\+(.+))?$/.exec(basic);
  if (strikeout) {
    const besides = strikeout[2] === undefined ? running([]) : readRunning(strikeout[2]);
    return besides && core({ strikeout: true, movements: [moved(0, 1, true), ...besides.movements] });
  }
  const walk = /^(?:IW|I|W)(?:\+(.+))?$/.exec(basic);
  if (walk) {
    const besides = walk[1] === undefined ? running([]) : readRunning(walk[1]);
    return besides && core({ movements: [moved(0, 1), ...besides.movements] });
  }
  return readRunning(basic) ?? readFielding(basic);
}

/** Plays that end no plate appearance: steals, pick-offs, wild pitches and the like, several with semicolons. */
function readRunning(basic: string): Core | null {
  const movements: Movement[] = [];
  for (const part of basic.split(';')) {
    if (/^(WP|PB|BK|DI|OA)$/.test(part)) continue;
    const steal = /^SB([23H])(?:\(.*\))?$/.exec(part);
    const caught = /^(?:PO)?CS([23H])((?:\(.*\))?)$/.exec(part);
    const picked = /^PO([123])((?:\(.*\))?)$/.exec(part);
    const thrown = /^E\d$/.test(part);
    if (steal) movements.push(moved(baseOf(steal[1]) - 1, baseOf(steal[1])));
    else if (caught) movements.push(moved(baseOf(caught[1]) - 1, baseOf(caught[1]), !isSafeByError(caught[2])));
    else if (picked) {
      // With an error the runner stays unless an advance says otherwise.
      if (!isSafeByError(picked[2])) movements.push(moved(Number(picked[1]), Number(picked[1]), true));
    } else if (!thrown) return null;
  }
  return running(movements);
}

/**
 * A batted ball fielded: "63", "54(1)/FO", "64(1)3/GDP", "8(B)84(2)". Fielders' digits; in brackets who is out by what
 * stands before them. Digits at the end without brackets put the batter out at first; with none he is safe there.
 */
function readFielding(basic: string): Core | null {
  if (!/^\d+(\([B123]\)\d*)*(E\d)?$/.test(basic) && !/^\d*(\([B123]\)\d*E?\d*)+$/.test(basic)) return null;
  const movements = Array.from(basic.matchAll(/\(([B123])\)/g), ([, who]) =>
    who === 'B' ? moved(0, 1, true) : moved(Number(who), Number(who) + 1, true),
  );
  if (!movements.some(({ from }) => from === 0)) {
    const last = basic.slice(basic.lastIndexOf(')') + 1);
    movements.push(moved(0, 1, last !== '' && !last.includes('E')));
  }
  return core({ forced: movements.some(({ from, out }) => from > 0 && out), movements });
}

const ADVANCE = /^([B123])([-X])([123H])((?:\([^()]*\))*)$/;

function readAdvances(text: string): Movement[] | null {
  const movements: Movement[] = [];
  for (const part of splitOutside(text, ';')) {
    if (part === '') continue;
    const found = ADVANCE.exec(part);
    if (!found) return null;
    const [, from, sign, to, credits] = found;
    movements.push(moved(from === 'B' ? 0 : Number(from), baseOf(to), sign === 'X' && !isSafeByError(credits)));
  }
  return movements;
}

/** Whether all the fielding credits of an out hold an error; brackets without fielders (NR, UR, TH) do not matter. */
function isSafeByError(credits: string): boolean {
  const fielding = Array.from(credits.matchAll(/\(([^()]*)\)/g), ([, inside]) => inside.split('/')[0]).filter(
    (credit) => /^\d*(E\d)?$/.test(credit),
  );
  return fielding.length > 0 && fielding.every((credit) => credit.includes('E'));
}

const baseOf = (name: string): number => (name === 'H' ? 4 : Number(name));

/** The first place of a character that stands in no brackets; -1 where there is none. */
function outsideBrackets(text: string, wanted: string): number {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '(') depth++;
    else if (text[i] === ')') depth--;
    else if (text[i] === wanted && depth === 0) return i;
  }
  return -1;
}

function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  for (let rest = text; ;) {
    const at = outsideBrackets(rest, separator);
    parts.push(at < 0 ? rest : rest.slice(0, at));
    if (at < 0) return parts;
    rest = rest.slice(at + 1);
  }
}
