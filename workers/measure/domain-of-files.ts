import { Budget } from '../../src/base/budget.ts';
import { wholeOf } from '../../src/base/whole-of.ts';
import { zipMembers } from '../../src/base/zip.ts';
import { DOMAIN_NAMES } from '../../src/domains/domains.ts';

const RECORD = /(^|\/)(blindfold|training-record)\.json$/;

/** The files that `domainOfFiles` looks into. */
export function tellingDomain(files: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> {
  return new Map([...files].filter(([name]) => RECORD.test(name) || /\.zip$/i.test(name)));
}

/** The game that a model's files are of, as their record says; null where they say nothing. */
export async function domainOfFiles(files: Map<string, Uint8Array>, clock: () => number): Promise<string | null> {
  for (const [name, bytes] of tellingDomain(files)) {
    const found = RECORD.test(name) ? domainIn(bytes) : await domainInZip(bytes, name, clock);
    if (found !== null) return found;
  }
  return null;
}

async function domainInZip(bytes: Uint8Array, name: string, clock: () => number): Promise<string | null> {
  const budget = new Budget(name, undefined, { clock });
  budget.read(bytes.length);
  async function* once(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  try {
    for await (const member of zipMembers(once(), name, budget)) {
      const found = RECORD.test(member.name) ? domainIn(await wholeOf(member.bytes, budget, name, 'document')) : null;
      if (found !== null) return found;
    }
  } catch {
    // What is wrong with an archive is said when the model is opened.
  }
  return null;
}

function domainIn(bytes: Uint8Array): string | null {
  try {
    const { config } = JSON.parse(new TextDecoder().decode(bytes)) as { config?: { domain?: unknown } };
    return DOMAIN_NAMES.find((name) => name === config?.domain) ?? null;
  } catch {
    return null;
  }
}
