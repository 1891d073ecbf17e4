import type { Files } from './folder.ts';
import type { ReadBack } from './read-back.ts';

/** The files with a section at the end of their README, where there is one. */
export function withSection(files: Files, section: string): Files {
  const readme = files.get('README.md');
  if (!readme) return files;
  const text = `${new TextDecoder().decode(readme)}\n${section}`;
  return new Map(files).set('README.md', new TextEncoder().encode(text));
}

/** Of a folder whose card was written for the one with model.safetensors. */
export const NO_SAFETENSORS =
  'There is no model.safetensors here; the Python above needs the folder in which the same model is exported with it.';

/**
 * What reading a folder back has shown.
 * @param found by file; the one name of a folder that is read as a whole is ''
 */
export function readBackSection(client: string, prompts: number, found: ReadonlyMap<string, ReadBack>): string {
  const most = [...found].map(
    ([file, { maxLogitDifference }]) => `${maxLogitDifference.toPrecision(2)}${file && ` with ${file}`}`,
  );
  const all = most.length < 2 ? most[0] : `${most.slice(0, -1).join(', ')} and ${most.at(-1)}`;
  return `## Read back

Before it was saved, ${client} read this folder and answered ${prompts} prompts. No next-token logit differs from the trained model's by more than ${all}.
`;
}
