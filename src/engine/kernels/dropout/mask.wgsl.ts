import type { DropoutSite } from '../../plan/plan.ts';
import type { LaunchBuilder } from '../../gpu-kit/launch.ts';

/** The masks of dropout-mask.ts in WGSL. */
export const maskFunctions = `
fn mixed(seed: u32) -> u32 {
  var x = (seed ^ (seed >> 16u)) * 0x7feb352du;
  x = (x ^ (x >> 15u)) * 0x846ca68bu;
  return x ^ (x >> 16u);
}
fn maskKey(site: u32) -> u32 {
  return mixed(run.seed ^ mixed(site + 0x85ebca6bu));
}
fn maskElement(key: u32, index: u32, threshold: u32, kept: f32) -> f32 {
  let bits = mixed(key + (index >> 1u));
  let half = select(bits & 0xffffu, bits >> 16u, (index & 1u) == 0u);
  return select(0.0, kept, half >= threshold);
}
fn maskVector(key: u32, index: u32, threshold: u32, kept: f32) -> vec4f {
  return vec4f(
    maskElement(key, index, threshold, kept),
    maskElement(key, index + 1u, threshold, kept),
    maskElement(key, index + 2u, threshold, kept),
    maskElement(key, index + 3u, threshold, kept),
  );
}`;

/** Expressions of a site's mask, for one element and for four; the site is a word, so that all share their code. */
export function maskOf(build: LaunchBuilder, { rate, site }: DropoutSite) {
  const key = `maskKey(${build.word('site', site)})`;
  const rest = `${Math.round(rate * 65536)}u, ${(1 / (1 - rate)).toFixed(9)}`;
  return {
    element: (index: string) => `maskElement(${key}, ${index}, ${rest})`,
    vector: (index: string) => `maskVector(${key}, ${index}, ${rest})`,
  };
}

/** Where the mask of packed token `n` begins, its rows having that many columns. */
export const maskRow = (n: string, columns: number): string => `u32(batch[run.paddedAt + ${n}]) * ${columns}u`;
