import { PIECE_NAMES, PIECES, type PieceLetter } from '../../../domains/chess/rules/pieces.ts';

/** Where every piece stands, in a sentence for each side, from values such as e4: "P". */
export function chessText(values: Readonly<Record<string, string>>): string {
  const side = (name: string, isMine: (letter: string) => boolean): string => {
    const pieces = Object.entries(values)
      .filter(
        ([square, letter]) =>
          /^[a-h][1-8]$/.test(square) && (PIECES as readonly string[]).includes(letter.toUpperCase()),
      )
      .filter(([, letter]) => isMine(letter))
      .map(([square, letter]) => `${PIECE_NAMES[letter.toUpperCase() as PieceLetter]} ${square}`);
    return `${name}: ${pieces.join(', ') || 'nothing'}.`;
  };
  return `${side('White', (letter) => letter === letter.toUpperCase())} ${side('Black', (letter) => letter === letter.toLowerCase())}`;
}
