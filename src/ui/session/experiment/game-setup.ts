import { defaultPreset, presetNamed, presets, type Preset } from '../../../config/presets.ts';
import { domainNamed, notationOf } from '../../../domains/domains.ts';
import { keep, kept } from '../kept.ts';

/** What each game begins with on the page, and what a preset must be given to fit it. */

/** Tokens that a model must read at once for nearly all games of a domain; of others, what presets have will do. */
const CONTEXT: Readonly<Record<string, number>> = { baseball: 1024 };

/** The preset of every game but chess: small, and in the notation that they all have. */
const WORDS_PRESET = 'splat-nano';

/** The key of the games of a domain that come with the lab. */
export function builtInGames(domain: string): string {
  const found = domainNamed(domain);
  return found.ok && found.value.invented !== null ? `invented-${domain}` : defaultPreset.config.data.games;
}

/** The preset that a game begins with. */
export function firstPreset(domain: string): Preset {
  if (domain === defaultPreset.config.domain) return defaultPreset;
  return presetNamed(WORDS_PRESET) ?? defaultPreset;
}

/** The presets whose notation the game has. */
export function presetsOf(domain: string): Preset[] {
  return presets.filter(({ config }) => notationOf({ domain, notation: config.notation }).ok);
}

/** A preset's settings in another game than the one it was written for: that game's own games, room for them. */
export function configIn(preset: Preset, domain: string): Preset['config'] {
  const { config } = preset;
  if (config.domain === domain) return config;
  return {
    ...config,
    domain,
    data: { games: builtInGames(domain), manifest: '', limit: null },
    model: { ...config.model, context: Math.max(config.model.context, CONTEXT[domain] ?? 0) },
  };
}

const KEY = 'blindfold.domain';

/** The game that this device looked at last; null where none is known. */
export function rememberedDomain(): string | null {
  const stored = kept(KEY);
  return stored !== null && domainNamed(stored).ok ? stored : null;
}

export function rememberDomain(domain: string): void {
  keep(KEY, domain);
}
