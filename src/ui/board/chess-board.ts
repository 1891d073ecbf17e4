import { ChessBoardElement } from 'chessboard-element';
import type { Placement } from '../session/asking/reading.ts';

/** chessboard-element's events, as far as the page uses them. */
export interface DragStart {
  source: string;
  piece: string;
}
export interface Drop {
  source: string;
  target: string;
  setAction(action: 'drop' | 'snapback'): void;
}

/** A chess-board element drawn over our own squares: its own are transparent, so that heat lies under the pieces. */
export function makeChessBoard(draggable: boolean): ChessBoardElement {
  const board = new ChessBoardElement();
  board.hideNotation = true;
  board.draggablePieces = draggable;
  if (matchMedia('(prefers-reduced-motion: reduce)').matches)
    // Not 0: the element waits for the end of a transition, and one of no length never ends.
    board.moveSpeed = board.snapSpeed = board.snapbackSpeed = board.appearSpeed = board.trashSpeed = 1;
  return board;
}

/** Puts a board into its place, as large as that; gives back how to take it out. */
export function mountBoard(board: ChessBoardElement, host: HTMLElement): () => void {
  host.append(board);
  const watch = new ResizeObserver(() => board.resize());
  watch.observe(host);
  return () => {
    watch.disconnect();
    board.remove();
  };
}

/**
 * Shows a placement; a single ply slides, anything larger appears at once. So does whatever adds a piece (a
 * capture taken back, a promotion): the element looks for added pieces among spare ones, which we have not.
 */
export function place(board: ChessBoardElement, placement: Placement): void {
  const before = board.position as Placement;
  const squares = new Set([...Object.keys(before), ...Object.keys(placement)]);
  const changed = [...squares].filter((square) => before[square] !== placement[square]);
  const left = changed.map((square) => before[square]);
  const onlyMoves = changed.every((square) => placement[square] === undefined || left.includes(placement[square]));
  if (changed.length > 0) board.setPosition(placement, changed.length <= 4 && onlyMoves && board.isConnected);
}

/**
 * The element keeps a dropped piece afloat until its transition ends. A piece dropped exactly in place has
 * no transition, so its end is announced here once it must be over.
 */
export function settleDrag(board: ChessBoardElement): void {
  setTimeout(
    () => board.shadowRoot?.querySelector('[part~="dragged-piece"]')?.dispatchEvent(new Event('transitionend')),
    160,
  );
}
