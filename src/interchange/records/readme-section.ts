import type { Files } from '../folder.ts';
import type { ReadBack } from '../read-back.ts';

/** The files with a section at the end of their README, where there is one. */
export function withSection(files: Files, section: string): Files {
  const readme = files.get('README.md');
  if (!readme) return files;
  const text = `${new TextDecoder().decode(readme)}\n${section}`;
  return new Map(files).set('README.md', new TextEncoder().encode(text));
}

const MARKS = ['<!-- with model.safetensors -->\n', '<!-- to here -->\n'] as const;

/** What a README says of its safetensors alone: a folder that has the weights in another form says something else. */
export const ofSafetensors = (text: string): string => `${MARKS[0]}${text.trimEnd()}\n${MARKS[1]}`;

/** The files with a section on how their own form is used, in place of what was said of the safetensors. */
export function withUse(files: Files, section: string): Files {
  const readme = files.get('README.md');
  if (!readme) return files;
  const [before, ...marked] = new TextDecoder().decode(readme).split(MARKS[0]);
  const rest = marked.map((part) => part.slice(part.indexOf(MARKS[1]) + MARKS[1].length));
  const text = `${[before, ...rest].join('').replace(/\n{3,}/g, '\n\n')}`;
  return withSection(new Map(files).set('README.md', new TextEncoder().encode(text)), section);
}

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
