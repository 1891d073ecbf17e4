import { renderPiece } from 'chessboard-element/lib/wikipedia-pieces-svg.js';
import { KIND_LETTERS, kindOf, sideOf } from '../../domains/chess/pieces.ts';

const pictures = new Map<number, string>();

/**
 * A piece of the large board as the address of a picture, for small boards of which there are many: an element for each
 * would be slow. `code` is a piece code (kind, plus 8 for Black).
 */
export function pictureOf(code: number): string {
  const known = pictures.get(code);
  if (known !== undefined) return known;
  const holder = document.createElement('div');
  renderPiece((sideOf(code) === 0 ? 'w' : 'b') + KIND_LETTERS[kindOf(code)], holder);
  const svg = holder.querySelector('svg')!;
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const picture = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`;
  pictures.set(code, picture);
  return picture;
}
