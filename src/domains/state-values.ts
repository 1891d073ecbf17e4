import type { AnyDomain } from './domains.ts';

/** The values of all state variables, by name. */
export function valuesOf(domain: AnyDomain, state: unknown): Record<string, string> {
  return Object.fromEntries(domain.variables.map((variable) => [variable.name, variable.of(state)]));
}
