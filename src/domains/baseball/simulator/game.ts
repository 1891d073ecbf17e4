import { seededRandom, type Random } from '../../../base/random.ts';
import { ADVANCE, ATBAT, eventOf, firstOf, NEWBATTER, PLATE, SOG, SUB, verbOf } from '../events.ts';
import { BaseballState, NOBODY } from '../state.ts';
import { Lineup, Roster } from './lineup.ts';
import { OUTCOMES, type PlateOutcome } from './outcomes.ts';
import { pitchesFor } from './pitches.ts';

/**
 * The chance that a runner is replaced just before he advances, from the third inning on: 51 substitutions in the
 * released validation lines, each told right before an advance, over some 8,400 advances of runners in those innings.
 */
const SUBSTITUTION = 0.0085;
const SUBSTITUTION_FROM = 3;

/** Whole games, seeded; game i of a seed is the same however many are asked for. */
export function* simulateGames(games: number, seed: number): Generator<Uint16Array> {
  for (let i = 0; i < games; i++) yield simulateGame(seededRandom('baseball', seed, i));
}

/**
 * One game from <sog> to its last <atbat>: nine innings, more where the score is level, the bottom of the last left out or
 * broken off where home leads. Each plate appearance draws its outcome by outs and bases, then pitches that lead to it.
 * Teams are alike, and nothing depends on the score: what a model can learn from this is the rules, not strategy.
 */
export function simulateGame(random: Random): Uint16Array {
  const state = new BaseballState();
  const trace: number[] = [];
  const roster = new Roster();
  const lineups = [new Lineup(roster), new Lineup(roster)];
  const play = (event: number): void => {
    state.play(event);
    trace.push(event);
  };
  play(eventOf(SOG));
  while (!state.over) {
    const lineup = lineups[state.half];
    const { inning } = state;
    const outcome = drawOutcome(state, random);
    play(eventOf(NEWBATTER, lineup.batter(inning, random)));
    for (const event of appearance(outcome, random)) {
      const runner = verbOf(event) === ADVANCE && firstOf(event) !== PLATE ? state.bases[firstOf(event)] : NOBODY;
      if (runner !== NOBODY && inning >= SUBSTITUTION_FROM && random.next() < SUBSTITUTION && !roster.isFull())
        play(eventOf(SUB, lineup.replace(runner), runner));
      play(event);
    }
    if (state.bases[PLATE] === NOBODY) lineup.advance();
    play(eventOf(ATBAT));
  }
  return Uint16Array.from(trace);
}

function drawOutcome({ outs, bases }: BaseballState, random: Random): PlateOutcome {
  const runners = (bases[1] !== NOBODY ? 1 : 0) + (bases[2] !== NOBODY ? 2 : 0) + (bases[3] !== NOBODY ? 4 : 0);
  const outcomes = OUTCOMES[outs * 8 + runners];
  const at = random.below(outcomes[outcomes.length - 1].sum);
  return outcomes.find(({ sum }) => at < sum)!;
}

/**
 * Pitches and moves in order. Moves belong to the ball in play and come last, except where there was none: runners who
 * move on a strikeout, or whose out cuts the appearance short, do so between pitches.
 */
function appearance(outcome: PlateOutcome, random: Random): number[] {
  const { pitches, strikeout } = pitchesFor(outcome, random);
  const thrown = pitches.map((verb) => eventOf(verb));
  if (outcome.ending === 'cut short') return [...thrown.slice(0, random.below(thrown.length + 1)), ...outcome.events];
  if (!strikeout) return [...thrown, ...outcome.events];
  const running = outcome.events.slice(0, -1);
  const before = random.below(thrown.length);
  return [...thrown.slice(0, before), ...running, ...thrown.slice(before), ...outcome.events.slice(-1)];
}
