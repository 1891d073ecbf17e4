import type { Board } from './board.ts';
import { escaped } from './escape.ts';

/** Our own plain pieces, each in a box of 10 by 10. */
const outlines: Record<string, string> = {
  P: '<path d="M5 1.9a1.6 1.6 0 0 1 1.15 2.7C6.3 5.7 6.7 6.5 7.5 7.2L7.7 8.5H2.3l.2-1.3C3.3 6.5 3.7 5.7 3.85 4.6A1.6 1.6 0 0 1 5 1.9z"/>',
  R: '<path d="M2.4 1.6h1.3v.9h.7v-.9h1.2v.9h.7v-.9h1.3v2L6.7 4.3 7 6.8l.8.7v1H2.2v-1l.8-.7.3-2.5-.9-.7z"/>',
  N: '<path d="M3.1 8.5C3 6.9 3.7 5.9 4.8 5l-1.3.5-.8.6-.9-.6C2 4.3 2.6 3.3 3.3 2.7l.1-1.3 1.1.8C6.9 2.2 7.8 4.2 7.7 8.5z"/><circle class="eye" cx="3.9" cy="3.4" r=".3"/>',
  B: '<circle cx="5" cy="1.5" r=".6"/><path d="M5 2.1c1.5 1 2 2.1 1.7 3.1-.2.6-.5.9-.8 1.2l.3.8 1.4.3v1H2.4v-1l1.4-.3.3-.8c-.3-.3-.6-.6-.8-1.2C3 4.2 3.5 3.1 5 2.1z"/><path class="cut" d="M5 3.3v1.8M4.2 4.1h1.6"/>',
  Q: '<path d="M2 3.1l1.2 3.4-.2 1-.5 1h5l-.5-1-.2-1L8 3.1 6.4 5.2 6 2.3 5 4.9 4 2.3l-.4 2.9z"/><circle cx="1.9" cy="2.7" r=".55"/><circle cx="4" cy="1.8" r=".55"/><circle cx="6" cy="1.8" r=".55"/><circle cx="8.1" cy="2.7" r=".55"/>',
  K: '<path class="cross" d="M5 .8v2M4.1 1.6h1.8"/><path d="M5 3.7c.4-1 2.9-1 3 .9 0 1.1-1 1.7-1.1 2.6l.4 1.3H2.7l.4-1.3C3 6.3 2 5.7 2 4.6c.1-1.9 2.6-1.9 3-.9z"/>',
};

/** To be put once into a page that draws boards. */
export const PIECE_SYMBOLS = `<svg class="symbols" aria-hidden="true"><defs>${Object.entries(outlines)
  .map(([letter, outline]) => `<symbol id="piece-${letter}" viewBox="0 0 10 10">${outline}</symbol>`)
  .join('')}</defs></svg>`;

export const BOARD_STYLE = [
  '.symbols{position:absolute;width:0;height:0}',
  '.board{display:block;width:100%;aspect-ratio:1;border-radius:3px}',
  '.board .l{fill:var(--square-light)}.board .d{fill:var(--square-dark)}',
  '.board .w{fill:#fffdf8;stroke:#26241f;color:#26241f}.board .b{fill:#2b2924;stroke:#12110f;color:#12110f}',
  '.board use{stroke-width:.45;stroke-linejoin:round}.eye{fill:currentColor;stroke:none}.cut,.cross{fill:none;stroke-linecap:round}',
  '.board .b{--cut:#d9d4c8}.board .w{--cut:#26241f}.cut{stroke:var(--cut)}.board .b .eye{fill:#d9d4c8}',
  '.board .asked{fill:none;stroke:var(--ink);stroke-width:.07}.board .may{fill:var(--bf-0);stroke:#fff;stroke-width:.04}',
  '.board .went{fill:none;stroke:var(--went);stroke-width:.13;stroke-linecap:round}.board .head{fill:var(--went)}',
  '.board .coordinate{font:.3px sans-serif;fill:var(--ink);opacity:.6}',
].join('');

/** A board as one SVG, drawn from its side. The page brings PIECE_SYMBOLS and BOARD_STYLE. */
export function boardSvg({ pieces, flipped, framed, dots, answered, description }: Board): string {
  const column = (square: number): number => (flipped ? 7 - (square & 7) : square & 7);
  const row = (square: number): number => (flipped ? square >> 3 : 7 - (square >> 3));
  const tint = (square: number): string => (((square & 7) + (square >> 3)) & 1 ? 'l' : 'd');
  // One path a colour: 64 rectangles a board would make the page three times as long.
  const field = (kind: string): string =>
    `<path class="${kind}" d="${Array.from(pieces, (_, square) => square)
      .filter((square) => tint(square) === kind)
      .map((square) => `M${column(square)} ${row(square)}h1v1h-1z`)
      .join('')}"/>`;
  const men = Array.from(pieces).flatMap((letter, square) => {
    if (letter === '.') return [];
    const kind = letter.toUpperCase();
    return `<use class="${letter === kind ? 'w' : 'b'}" href="#piece-${kind}" x="${column(square) + 0.04}" y="${row(square) + 0.02}" width=".92" height=".92"/>`;
  });
  const circles = dots.map(
    (square) => `<circle class="may" cx="${column(square) + 0.5}" cy="${row(square) + 0.5}" r=".15"/>`,
  );
  const files = [...'abcdefgh'].map((file, at) => ({ file, x: flipped ? 7 - at : at }));
  return [
    `<svg class="board" viewBox="0 0 8 8" role="img" aria-label="${escaped(description)}">`,
    field('l'),
    field('d'),
    ...files.map(({ file, x }) => `<text class="coordinate" x="${x + 0.79}" y="7.93">${file}</text>`),
    ...files.map((_, at) => `<text class="coordinate" x=".04" y="${at + 0.3}">${flipped ? at + 1 : 8 - at}</text>`),
    ...men,
    ...circles,
    framed === null
      ? ''
      : `<rect class="asked" x="${column(framed) + 0.04}" y="${row(framed) + 0.04}" width=".92" height=".92" rx=".06"/>`,
    framed === null || answered === null ? '' : arrowPath(column(framed), row(framed), column(answered), row(answered)),
    '</svg>',
  ].join('');
}

function arrowPath(fromX: number, fromY: number, toX: number, toY: number): string {
  const length = Math.hypot(toX - fromX, toY - fromY);
  if (length === 0) return '';
  const [x, y] = [(toX - fromX) / length, (toY - fromY) / length];
  const n = (value: number): string => String(Math.round(value * 1000) / 1000);
  const at = (along: number, aside: number): string =>
    `${n(fromX + 0.5 + x * along - y * aside)} ${n(fromY + 0.5 + y * along + x * aside)}`;
  return `<path class="went" d="M${at(0.3, 0)}L${at(length - 0.35, 0)}"/><path class="head" d="M${at(length, 0)}L${at(length - 0.42, 0.2)}L${at(length - 0.42, -0.2)}z"/>`;
}
