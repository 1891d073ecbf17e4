import { BOARD_STYLE, PIECE_SYMBOLS } from '../../report/board-svg.ts';

/** Pieces and style of all boards of the page, once, as in a file; to be imported by whatever draws a board. */
const style = new CSSStyleSheet();
style.replaceSync(BOARD_STYLE);
document.adoptedStyleSheets.push(style);
document.body.insertAdjacentHTML('beforeend', PIECE_SYMBOLS);
