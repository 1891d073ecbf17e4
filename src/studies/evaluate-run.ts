import { ok, type Result } from '../base/result.ts';
import type { RunConfig } from '../config/run-config.ts';
import { writtenGames } from '../data/written-games.ts';
import type { Notation } from '../domains/domain.ts';
import type { Engine } from '../engine/engine.ts';
import { askedConfig, askedIn } from './asking/asked-in.ts';
import { endedEarly } from './asking/cancellation.ts';
import { heldOutPerplexity } from './asking/held-out-perplexity.ts';
import type { Measuring } from './asking/measuring.ts';
import type { Evaluation, HeldOutGames, Live, LivePanel, LiveScores, LiveWatch } from './live.ts';
import { studiesOf } from './studies.ts';

/** What a run is measured with, the same at every evaluation. */
export interface RunWatch {
  /** What the run learns in. */
  notation: Notation;
  /** Games for perplexity. */
  dev: readonly Uint16Array[];
  studies: { name: string; watch: LiveWatch }[];
}

function liveStudies(config: RunConfig): { name: string; live: Live }[] {
  return studiesOf(config).flatMap(({ name, live }) => (live ? [{ name, live }] : []));
}

/** What every study that applies will measure of a run; `games` are those in its training split, null where unknown. */
export function livePanels(config: RunConfig, games: number | null): LivePanel[] {
  return liveStudies(config)
    .map(({ live }) => live.panel(config, games))
    .filter(({ views }) => views.length > 0);
}

/** What is drawn of a run, with the baselines of what it is asked. */
export function panelsOf({ studies }: RunWatch): LivePanel[] {
  return studies.map(({ watch }) => watch.panel()).filter(({ views }) => views.length > 0);
}

/** Has every study that applies choose what it asks. Fails as they do. */
export async function makeRunWatch(
  config: RunConfig,
  notation: Notation,
  games: HeldOutGames,
  readShipped?: Measuring['readShipped'],
): Promise<Result<RunWatch>> {
  const studies: RunWatch['studies'] = [];
  const [dev, probe] = [games.dev, games.probe].map((split) => writtenGames(split, notation).games);
  for (const { name, live } of liveStudies(config)) {
    const asked = askedConfig(config, notation);
    const watch = await live.prepare(asked, notation.asked ?? notation, { ...games, dev, probe }, readShipped);
    if (!watch.ok) return watch;
    studies.push({ name, watch: watch.value });
  }
  return ok({ notation, dev: [...dev.first(config.evaluation.games)], studies });
}

/** Whether there is nothing to measure a run with: no game for perplexity, or nothing that a study could ask. */
export function measuresNothing({ dev, studies }: RunWatch): boolean {
  return dev.length === 0 || (studies.length > 0 && studies.every(({ watch }) => watch.empty));
}

/** All the live scores of a model at one step. Fails with `no-games` where there are none to measure on. */
export async function evaluateRun(
  learning: Engine,
  { notation: learned, dev, studies }: RunWatch,
  { step, pause }: { step: number; pause?: () => Promise<void> },
): Promise<Result<Evaluation>> {
  return endedEarly(async () => {
    const { engine, notation } = askedIn(learning, learned);
    const held = await heldOutPerplexity(engine, dev, notation, pause);
    if (!held.ok) return held;
    const scores: Record<string, LiveScores> = {};
    for (const { name, watch } of studies) {
      const measured = await watch.evaluate(engine, pause);
      if (!measured.ok) return measured;
      if (Object.keys(measured.value).length > 0) scores[name] = measured.value;
    }
    return ok({ step, devPerplexity: held.value, scores });
  });
}
