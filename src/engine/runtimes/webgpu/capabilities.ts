import type { CompiledKind, ModelConfig } from '../../../models/model.ts';
import type { DeviceReport, Precision, CapabilityFigures, CapabilityReport } from '../../engine.ts';
import type { Graphics } from './graphics.ts';
import type { Shapes } from './lower.ts';
import { STEPS, trial, type Trial } from './trial.ts';

/** Largest differences with which a capability is admitted. */
interface Limits {
  gradientError: number;
  lossError: number;
}
const SUBGROUP_LIMITS: Limits = { gradientError: 1e-4, lossError: 1e-3 };
const HALF_LIMITS: Limits = { gradientError: 1e-2, lossError: 1e-2 };

/** Subgroups in which four threads share what they read: what the `shared` tiling is written for. */
const SHARING = 4;

/** Reports by what they are about; found out once a device. */
const known = new WeakMap<GPUDevice, Map<string, Promise<CapabilityReport>>>();

function once(graphics: Graphics, about: unknown[], find: () => Promise<CapabilityReport>): Promise<CapabilityReport> {
  let reports = known.get(graphics.device);
  if (!reports) known.set(graphics.device, (reports = new Map()));
  const key = JSON.stringify(about);
  let report = reports.get(key);
  if (!report) reports.set(key, (report = find()));
  return report;
}

/** What this device was admitted to of the capabilities that change no numbers. @param plain shapes of plain 32-bit kernels */
export async function capabilitiesOf(graphics: Graphics, plain: Shapes): Promise<CapabilityReport[]> {
  const f32: CapabilityReport = { capability: 'f32', admitted: true, reason: 'Every device has it.', figures: null };
  return [f32, await once(graphics, ['subgroups'], () => subgroupCapability(graphics, plain))];
}

/** The shapes that use what was admitted. */
export function withCapabilities(shapes: Shapes, capabilities: readonly CapabilityReport[]): Shapes {
  const shared =
    capabilities.some(({ capability, admitted }) => capability === 'subgroups' && admitted) && !shapes.tiling.staged;
  return shared ? { ...shapes, tiling: { ...shapes.tiling, shared } } : shapes;
}

/**
 * Whether this device may train models of a kind in mixed precision. Tried only where it was asked for: a run in full
 * precision does not pay for it. The trial is with a small model of the run's own kind and with the run's kernels.
 */
export function halfCapability(
  graphics: Graphics,
  kind: ModelConfig['kind'],
  shapes: Shapes,
  wanted: Precision,
): Promise<CapabilityReport> {
  const report = (admitted: boolean, reason: string, figures: CapabilityFigures | null = null): CapabilityReport => ({
    ...{ capability: 'f16', admitted, reason, figures },
  });
  if (wanted === 'full') return Promise.resolve(report(false, 'Not tried, since full precision was asked for.'));
  return once(graphics, ['f16', kind, shapes], async () => {
    let [full, found]: Trial[] = [];
    try {
      // Others are not compiled for this engine, and never get here.
      full = await trial(graphics, kind as CompiledKind, shapes, false);
      found = await trial(graphics, kind as CompiledKind, shapes, true);
    } catch (error) {
      if (error instanceof Error && error.name === 'DeviceLostError') throw error;
      return report(false, `A trial on this device could not be made: ${String(error)}`);
    }
    const figures = compared(found, full);
    const text = `gradients ${percent(figures.gradientError)} and losses of ${STEPS} steps ${percent(figures.lossError)} from those of full precision`;
    if (!within(figures, HALF_LIMITS))
      return report(false, `A trial on this device found ${text}, which is too far.`, figures);
    if (!found.skips)
      return report(false, 'A trial on this device did not notice a number that is too large for 16 bits.', figures);
    return report(true, `A trial on this device found ${text}.`, figures);
  });
}

/** What the page tells of a run that asked for mixed precision. */
export function precisionOf({ admitted, reason }: CapabilityReport): DeviceReport['precision'] {
  return admitted
    ? { used: 'mixed', reason: `Training keeps what it can in 16 bits and adds up in 32. ${reason}` }
    : { used: 'full', reason: `Mixed precision was asked for, but training is in full precision. ${reason}` };
}

async function subgroupCapability(graphics: Graphics, plain: Shapes): Promise<CapabilityReport> {
  const report = (admitted: boolean, reason: string, figures: CapabilityFigures | null = null): CapabilityReport => ({
    ...{ capability: 'subgroups', admitted, reason, figures },
  });
  const { device, adapter } = graphics;
  if (!device.features.has('subgroups')) return report(false, 'The device offers no subgroups.');
  if (plain.tiling.staged || adapter.subgroupSize !== SHARING)
    return report(false, 'Its kernels share through workgroup memory; subgroups would add nothing yet.');
  const wanted = await trial(graphics, 'gpt2', plain, false);
  const found = await trial(graphics, 'gpt2', { ...plain, tiling: { ...plain.tiling, shared: true } }, false);
  const figures = compared(found, wanted);
  const passed = within(figures, SUBGROUP_LIMITS);
  return report(
    passed,
    passed
      ? `Gradients and ${STEPS} steps are those of plain kernels.`
      : `Its gradients or its losses over ${STEPS} steps are not those of plain kernels.`,
    figures,
  );
}

const within = (figures: CapabilityFigures, limits: Limits): boolean =>
  figures.gradientError <= limits.gradientError && figures.lossError <= limits.lossError;

const percent = (share: number): string => `${Number((100 * share).toPrecision(2))}%`;

function compared(found: Trial, wanted: Trial): CapabilityFigures {
  const errors = wanted.gradients.map((values, i) => difference(found.gradients[i], values));
  const losses = difference(found.losses, wanted.losses);
  const largest = Math.max(...errors.map(({ size }) => size));
  return {
    gradientError: Math.max(...errors.map(({ error }) => error)) / largest,
    parameterError: Math.max(...errors.map(({ error, size }) => error / (size || largest))),
    lossError: losses.error / losses.size,
  };
}

/** Largest difference and largest magnitude; infinite where something is no number. */
function difference(found: Float32Array, wanted: Float32Array): { error: number; size: number } {
  let [size, error] = [0, 0];
  wanted.forEach((value, i) => {
    size = Math.max(size, Math.abs(value));
    const difference = Math.abs(found[i] - value);
    error = Math.max(error, Number.isNaN(difference) ? Infinity : difference);
  });
  return { error, size };
}
