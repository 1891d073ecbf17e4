import { wasmHost } from '../cli/wasm-host.ts';
import { seededRandom } from '../src/base/random.ts';
import { unwrap } from '../src/base/result.ts';
import { INSTANCE_SEED } from '../src/config/instance-seed.ts';
import { presetNamed } from '../src/config/presets.ts';
import { notationOf } from '../src/domains/domains.ts';
import { createEngine } from '../src/engine/create-engine.ts';
import type { Engine } from '../src/engine/engine.ts';
import { initialParameters } from '../src/models/model.ts';
import { modelOf } from '../src/models/of-config.ts';
import { makeInstances } from '../src/studies/testbed/instances.ts';
import { askTasks, taskNames } from '../src/studies/testbed/tasks.ts';
import { embeddedGames } from './embedded-games.ts';
import { median } from './interleave.ts';

export interface ProbeOptions {
  runs: number;
  instances?: number;
  print: (row: object) => void;
  tell: (text: string) => void;
}

/** Prefixes that a pass answers at once. */
const ROWS = 16;

/**
 * The four probe tasks over 1,000 instances of 71 to 77 plies (prefixes of about 150 tokens) by the tiny preset:
 * milliseconds of the whole, prompts to judged answers. The weights are untrained, which changes no amount of work. The
 * engines are the reference on stock TF.js kernels' faster stand-ins (tfjs) and the compiled one, in turns.
 */
export async function benchProbes({ runs, instances = 1000, print, tell }: ProbeOptions): Promise<void> {
  const { config } = presetNamed('tiny')!;
  const notation = unwrap(notationOf(config));
  const model = modelOf(config, { size: notation.vocabulary.size, slots: notation.slots });
  const asked = await makeInstances(await embeddedGames('train', 12 * instances), {
    range: [71, 77],
    n: instances,
    seed: INSTANCE_SEED,
  });
  if (asked.length < instances) tell(`probe: the games gave ${asked.length} instances of ${instances}`);
  const parameters = initialParameters(model, seededRandom('probe'));
  const engines = new Map<string, Engine>();
  const ours = { backend: 'wasm', model, parameters } as const;
  engines.set('blindfold-tfjs', await createEngine({ ...ours, engine: 'tfjs' }));
  for (const threads of [1, 2])
    engines.set(`blindfold-wasm-${threads}`, await createEngine({ ...ours, engine: 'wasm', wasm: wasmHost(threads) }));
  const times = new Map([...engines.keys()].map((name) => [name, [] as number[]]));
  for (let run = 0; run <= runs; run++)
    for (const [name, engine] of engines) {
      const some = run === 0 ? asked.slice(0, 4 * ROWS) : asked;
      const started = performance.now();
      await askTasks(engine, notation, some, { tasks: taskNames, rowsPerBatch: ROWS });
      // The first round warms up.
      if (run > 0) times.get(name)!.push(Math.round(performance.now() - started));
      tell(`probe: round ${run} of ${runs}, ${name}`);
    }
  const reference = median(times.get('blindfold-tfjs')!);
  for (const [name, engine] of engines) {
    const milliseconds = median(times.get(name)!);
    print({
      suite: 'probe',
      workload: `four-tasks-${asked.length}-instances-tiny`,
      engine: name,
      threads: Number(/-(\d)$/.exec(name)?.[1] ?? 1),
      device: engine.device.adapter,
      milliseconds,
      perSecond: Number(((1000 * asked.length) / milliseconds).toPrecision(4)),
      runs: times.get(name)!,
      ratioToReference: Number((reference / milliseconds).toPrecision(3)),
      ratioToStock: null,
    });
    engine.dispose();
  }
}
