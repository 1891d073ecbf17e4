/**
 * The verbs of SPLAT baseball (Demeter and Downey, CoNLL 2021, section 4.2 and appendix B) and how one verb with its
 * arguments is packed into 16 bits: verb << 12 | first argument << 6 | second argument. Arguments are locations (0 to 4)
 * or players (0 to 49, in order of first appearance in the game); what a verb does not take is 0.
 */
export const SOG = 0;
export const NEWBATTER = 1;
export const BALL = 2;
export const STRIKE = 3;
export const FOUL = 4;
export const HIT = 5;
export const ADVANCE = 6;
export const OUT = 7;
export const CAUGHT_STEALING = 8;
export const SUB = 9;
export const ATBAT = 10;

/** The eleven verbs by number, with the kinds of their arguments. */
export const VERBS: readonly { token: string; takes: readonly ('player' | 'location')[] }[] = [
  { token: '<sog>', takes: [] },
  { token: '<newbatter>', takes: ['player'] },
  { token: '<ball>', takes: [] },
  { token: '<strike>', takes: [] },
  { token: '<foul>', takes: [] },
  { token: '<hit>', takes: [] },
  { token: '<advance>', takes: ['location', 'location'] },
  { token: '<out>', takes: ['location'] },
  { token: '<caught_stealing>', takes: ['location'] },
  { token: '<sub>', takes: ['player', 'player'] },
  { token: '<atbat>', takes: [] },
];

/** Words for the locations in messages; the tokens are these in round brackets. */
export const LOCATIONS = ['plate', 'first', 'second', 'third', 'score'] as const;
export const [PLATE, FIRST, SECOND, THIRD, SCORE] = [0, 1, 2, 3, 4] as const;

/** Player ids that the vocabulary holds: (id_100) to (id_149). */
export const PLAYERS = 50;

/** One event's code. */
export function eventOf(verb: number, first = 0, second = 0): number {
  return (verb << 12) | (first << 6) | second;
}

export function verbOf(event: number): number {
  return event >> 12;
}

export function firstOf(event: number): number {
  return (event >> 6) & 63;
}

export function secondOf(event: number): number {
  return event & 63;
}

export function playerToken(player: number): string {
  return `(id_${100 + player})`;
}

/** The tokens of an event: "<advance> (plate) (first)". Throws on a code that no verb has. */
export function tokensOf(event: number): string[] {
  const verb = VERBS[verbOf(event)];
  if (verb === undefined) throw new RangeError(`${event} is not a baseball event`);
  return [
    verb.token,
    ...verb.takes.map((kind, i) => {
      const argument = i === 0 ? firstOf(event) : secondOf(event);
      if (argument >= (kind === 'player' ? PLAYERS : LOCATIONS.length))
        throw new RangeError(`${event} is not a baseball event: ${verb.token} has no ${kind} ${argument}`);
      return kind === 'player' ? playerToken(argument) : `(${LOCATIONS[argument]})`;
    }),
  ];
}

/** "advance first second", for messages. */
export function eventText(event: number): string {
  return tokensOf(event).join(' ');
}
