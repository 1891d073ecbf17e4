import { KIND_NAMES } from '../../../domains/chess/pieces.ts';

const KINDS = '.PNBRQK';

/** Where every piece stands, in a sentence for each side, from values such as e4: "P". */
export function chessWords(values: Readonly<Record<string, string>>): string {
  const side = (name: string, isMine: (letter: string) => boolean): string => {
    const pieces = Object.entries(values)
      .filter(([square, letter]) => /^[a-h][1-8]$/.test(square) && KINDS.includes(letter.toUpperCase(), 1))
      .filter(([, letter]) => isMine(letter))
      .map(([square, letter]) => `${KIND_NAMES[KINDS.indexOf(letter.toUpperCase())]} ${square}`);
    return `${name}: ${pieces.join(', ') || 'nothing'}.`;
  };
  return `${side('White', (letter) => letter === letter.toUpperCase())} ${side('Black', (letter) => letter === letter.toLowerCase())}`;
}
