import { seededRandom } from '../../src/base/random.ts';
import { fail, ok } from '../../src/base/result.ts';
import { parseRunConfig } from '../../src/config/run-config.ts';
import { Batches } from '../../src/data/batches.ts';
import { Corpus } from '../../src/data/corpus.ts';
import { notationOf } from '../../src/domains/domains.ts';
import type { BackendName, Batch, DeviceReport, Engine, NamedArrays } from '../../src/engine/engine.ts';
import { initialParameters, type ModelConfig } from '../../src/models/model.ts';
import { modelOf } from '../../src/models/of-config.ts';
import { optimizerAt } from '../../src/training/schedule.ts';
import { guarded } from '../guarded.ts';
import type { RaceService, RaceStep } from './protocol.ts';

/** Rounds begin for so many milliseconds, and there are at least so many, however long they take. */
const RACE_MS = 20_000;
const LEAST_ROUNDS = 3;

/** What the host gives: devices, both engines, and time. */
export interface RaceHost {
  device(wanted: BackendName | null): Promise<DeviceReport>;
  compiled(device: DeviceReport, model: ModelConfig, parameters: NamedArrays): Promise<Engine>;
  /** TensorFlow.js as it comes, on the same backend. */
  stock(device: DeviceReport, model: ModelConfig, parameters: NamedArrays): Promise<Engine>;
  /** Threads of the compiled engine on WebAssembly. */
  threads: number;
  /** Whether a run is being trained in any tab. */
  training(): Promise<boolean>;
  /** Milliseconds from any start, finer than one. */
  clock(): number;
  pause(): Promise<void>;
}

export function raceHandlers(host: RaceHost): RaceService {
  return {
    race: (input, train, wanted, onEvent) =>
      guarded(async () => {
        const config = parseRunConfig(input);
        if (!config.ok) return config;
        const notation = notationOf(config.value);
        if (!notation.ok) return notation;
        if (await host.training())
          return fail(
            'run-going-on',
            'A run is being trained on this device. A race beside it would slow both and measure neither; stop the run or let it finish first.',
          );
        const device = await host.device(wanted);
        if (device.backend === 'cpu') return nothingToRace(device);
        const { seed, batch: games, model: described } = config.value;
        const model = modelOf(config.value, { size: notation.value.vocabulary.size, slots: notation.value.slots });
        const parameters = initialParameters(model, seededRandom('weights', seed));
        const corpus = new Corpus(train.moves, train.offsets);
        const batches = new Batches(corpus, notation.value, { games, seed, context: described.context });

        onEvent({ kind: 'preparing', words: 'Preparing the compiled engine' });
        const compiled = await host.compiled(device, model, parameters);
        if (compiled.name === 'tfjs') {
          compiled.dispose();
          return nothingToRace(device);
        }
        onEvent({ kind: 'preparing', words: 'Preparing TensorFlow.js' });
        const stock = await host.stock(device, model, parameters);
        const threads = device.backend === 'wasm';
        onEvent({
          kind: 'started',
          started: {
            device,
            compiled: { name: compiled.name, threads: threads ? host.threads : null },
            stock: { name: stock.name, threads: threads ? 1 : null },
          },
        });

        const turn = async (engine: Engine, batch: Batch, step: number): Promise<RaceStep & { tokens: number }> => {
          await host.pause();
          const start = host.clock();
          const { loss, tokens } = await engine.step(batch, optimizerAt(config.value, step), seed + step);
          return { milliseconds: host.clock() - start, loss, tokens };
        };
        // The first step of each, on the first batch, compiles and lays out: it is no part of the race.
        for (const [engine, name] of [
          [compiled, 'the compiled engine'],
          [stock, 'TensorFlow.js'],
        ] as const) {
          onEvent({ kind: 'preparing', words: `A first step by ${name}` });
          await turn(engine, batches.batch(0), 0);
        }
        const begun = host.clock();
        let rounds = 0;
        while (rounds < LEAST_ROUNDS || host.clock() - begun < RACE_MS) {
          const step = rounds + 1;
          const batch = batches.batch(step);
          // Who goes first changes, so that neither has the warmer processor.
          const first = await turn(rounds % 2 === 0 ? compiled : stock, batch, step);
          const second = await turn(rounds % 2 === 0 ? stock : compiled, batch, step);
          const [ours, theirs] = rounds % 2 === 0 ? [first, second] : [second, first];
          rounds++;
          const share = Math.min(1, (host.clock() - begun) / RACE_MS, rounds / LEAST_ROUNDS);
          const { tokens, ...compiledStep } = ours;
          const stockStep = { milliseconds: theirs.milliseconds, loss: theirs.loss };
          onEvent({ kind: 'round', round: { tokens, compiled: compiledStep, stock: stockStep }, share });
        }
        compiled.dispose();
        stock.dispose();
        return ok(rounds);
      }),
  };
}

function nothingToRace({ adapter }: DeviceReport) {
  return fail(
    'nothing-to-race',
    `There is no compiled engine for this device (${adapter}), so nothing to race. Choose another under Device.`,
  );
}
