import { EMPTY } from './vocabulary.ts';

/** "1st", "2nd", "3rd", "11th". */
export function ordinal(n: number): string {
  const teen = n % 100 >= 11 && n % 100 <= 13;
  const ending = teen ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${n}${ending}`;
}

/** "Top 3rd": the half in which away bats is the top (half 0). */
export function halfInningText(inning: number, half: number): string {
  return `${half === 0 ? 'Top' : 'Bottom'} ${ordinal(inning)}`;
}

/** A value of a state variable as people read it: "(id_104)" is 104, a base with nobody on it empty, a half its name. */
export function valueText(variable: string, value: string): string {
  if (value === EMPTY) return 'empty';
  if (variable === 'half') return value === '0' ? 'top' : value === '1' ? 'bottom' : value;
  return playerOf(value) ?? value;
}

/** "104" of "(id_104)"; null where the value names no player. */
export function playerOf(value: string | undefined): string | null {
  return /^\(id_(\d+)\)$/.exec(value ?? '')?.[1] ?? null;
}

/**
 * A state in a sentence or three, from the values of its variables as tokens ("outs" "1", "first" "(id_104)"), true or
 * believed; what is not among them is left out.
 */
export function stateText(values: Readonly<Record<string, string>>): string {
  const { inning, half, outs, balls, strikes, away, home } = values;
  const sentences = [
    [
      inning &&
        `${half === undefined ? 'Inning' : half === '0' ? 'Top of the' : 'Bottom of the'} ${numbered(inning, half)}`,
      outs && `${outs} out`,
      balls && strikes && `${counted(balls, 'ball')} and ${counted(strikes, 'strike')}`,
    ],
    [away && `Away ${away}`, home && `home ${home}`],
    [
      playerOf(values.plate) ? `${playerOf(values.plate)} bats` : '',
      ...['first', 'second', 'third'].map((base) =>
        playerOf(values[base]) ? `${playerOf(values[base])} is on ${base}` : '',
      ),
    ],
  ];
  return sentences
    .map((parts) => parts.filter(Boolean).join(', '))
    .filter((sentence) => sentence !== '')
    .map((sentence) => `${sentence}.`)
    .join(' ');
}

function numbered(inning: string, half: string | undefined): string {
  const n = Number(inning);
  return half !== undefined && Number.isInteger(n) ? ordinal(n) : inning;
}

function counted(value: string, noun: string): string {
  return `${value} ${noun}${value === '1' ? '' : 's'}`;
}
