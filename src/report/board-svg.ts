import type { Board } from './board.ts';
import { escaped } from './escape.ts';
import { PIECES } from './pieces.ts';

/** The id of a piece among PIECE_SYMBOLS by its FEN letter. */
export const symbolOf = (letter: string): string =>
  `piece-${letter === letter.toUpperCase() ? 'w' : 'b'}${letter.toUpperCase()}`;

/** To be put once into a page that draws boards. */
export const PIECE_SYMBOLS = `<svg class="bf-symbols" aria-hidden="true"><defs>${Object.entries(PIECES)
  .map(([letter, drawing]) => `<symbol id="${symbolOf(letter)}" viewBox="0 0 45 45">${drawing}</symbol>`)
  .join('')}</defs></svg>`;

/** The page brings the colours. */
export const BOARD_STYLE = [
  '.bf-symbols{position:absolute;width:0;height:0}',
  '.bf-board{display:block;width:100%;aspect-ratio:1;border-radius:3px;overflow:hidden}',
  '.bf-board .l{fill:var(--square-light)}.bf-board .d{fill:var(--square-dark)}.bf-board .heat{fill:var(--accent)}',
  '.bf-board .heat.wrong{fill:var(--wrong)}',
  '.bf-board .ring,.bf-board .framed,.bf-board .changed,.bf-board .answer{fill:none;stroke:var(--ink)}',
  '.bf-board .ring{stroke-width:.05;opacity:.65}.bf-board .framed{stroke-width:.09}',
  '.bf-board .changed{stroke-width:.07;stroke-dasharray:.16 .12}',
  '.bf-board .answer{stroke:var(--accent);stroke-width:.12}.bf-board .answer.wrong{stroke:var(--wrong)}',
  '.bf-board .went{fill:none;stroke:var(--wrong);stroke-width:.12;stroke-linecap:round}.bf-board .head{fill:var(--wrong)}',
  '.bf-board text{font:.22px sans-serif;fill:var(--ink);opacity:.62}',
].join('');

/** Opacity of heat on a square: the power spreads the low end, where the news is. */
export const heatOpacity = (share: number): number => (share >= 0.005 ? Math.min(0.95, share ** 0.6) : 0);

/** A board as one SVG. The page brings PIECE_SYMBOLS and BOARD_STYLE. */
export function boardSvg(board: Board): string {
  const { pieces, flipped = false, framed = null, legal = [], answered = null, heat = null, changed = [] } = board;
  const wrong = (square: number): boolean => board.judged === true && !legal.includes(square);
  const column = (square: number): number => (flipped ? 7 - (square & 7) : square & 7);
  const row = (square: number): number => (flipped ? square >> 3 : 7 - (square >> 3));
  const frame = (kind: string, square: number, inset: number): string =>
    `<rect class="${kind}" x="${column(square) + inset}" y="${row(square) + inset}" width="${1 - 2 * inset}" height="${1 - 2 * inset}"/>`;
  // One path a colour: 64 rectangles a board would make the page three times as long.
  const squares = (kind: string, odd: number): string =>
    `<path class="${kind}" d="${Array.from(pieces, (_, square) => square)
      .filter((square) => (((square & 7) + (square >> 3)) & 1) === odd)
      .map((square) => `M${column(square)} ${row(square)}h1v1h-1z`)
      .join('')}"/>`;
  return [
    `<svg class="bf-board" viewBox="0 0 8 8" role="img" aria-label="${escaped(board.description)}">`,
    squares('l', 1),
    squares('d', 0),
    ...Array.from(heat ?? [], (share, square) =>
      heatOpacity(share) === 0
        ? ''
        : `<rect class="heat${wrong(square) ? ' wrong' : ''}" x="${column(square)}" y="${row(square)}" width="1" height="1" opacity="${heatOpacity(share).toFixed(3)}"/>`,
    ),
    ...(board.coordinates ? coordinates(flipped) : []),
    ...Array.from(pieces, (letter, square) =>
      letter === '.'
        ? ''
        : `<use href="#${symbolOf(letter)}" x="${column(square) + 0.04}" y="${row(square) + 0.04}" width=".92" height=".92"/>`,
    ),
    ...legal.map((square) => `<circle class="ring" cx="${column(square) + 0.5}" cy="${row(square) + 0.5}" r=".41"/>`),
    ...changed.map((square) => frame('changed', square, 0.05)),
    framed === null ? '' : frame('framed', framed, 0.05),
    answered === null ? '' : frame(answered.right ? 'answer' : 'answer wrong', answered.square, 0.06),
    framed === null || answered === null || answered.right
      ? ''
      : arrow(column(framed), row(framed), column(answered.square), row(answered.square)),
    '</svg>',
  ].join('');
}

function coordinates(flipped: boolean): string[] {
  return Array.from('abcdefgh', (_, at) => {
    const file = 'abcdefgh'[flipped ? 7 - at : at];
    return `<text x="${at + 0.95}" y="7.93" text-anchor="end">${file}</text><text x=".05" y="${at + 0.24}">${flipped ? at + 1 : 8 - at}</text>`;
  });
}

function arrow(fromX: number, fromY: number, toX: number, toY: number): string {
  const length = Math.hypot(toX - fromX, toY - fromY);
  if (length === 0) return '';
  const [x, y] = [(toX - fromX) / length, (toY - fromY) / length];
  const n = (value: number): string => String(Math.round(value * 1000) / 1000);
  const at = (along: number, aside: number): string =>
    `${n(fromX + 0.5 + x * along - y * aside)} ${n(fromY + 0.5 + y * along + x * aside)}`;
  return `<path class="went" d="M${at(0.3, 0)}L${at(length - 0.35, 0)}"/><path class="head" d="M${at(length, 0)}L${at(length - 0.42, 0.2)}L${at(length - 0.42, -0.2)}z"/>`;
}
