import { domainNamed } from '../../../domains/domains.ts';

const SQUARES = 64;

/** Whether a game's state is told square by square on a board of 64, so that the one asked about is looked for. */
export function hasSquareBoard(domain: string): boolean {
  const found = domainNamed(domain);
  return found.ok && found.value.variables.filter(({ name }) => /^[a-h][1-8]$/.test(name)).length === SQUARES;
}
