import { fail, ok, type Result } from '../../base/result.ts';
import type { Ending, TwoPlayers } from '../domain.ts';
import { sanOf } from './formats/san.ts';
import { isFen, lineTo } from './line-to.ts';
import { parsePrompt } from './prompt.ts';
import { claimableDraw, outcomeOf } from './rules/outcome.ts';
import { KIND_LETTERS, kindOf } from './rules/pieces.ts';
import { Position } from './rules/position.ts';
import { parseSquare } from './rules/squares.ts';

/** Most characters of a line of PGN movetext. */
const WIDTH = 80;

/** Chess between players who claim draws by repetition and by the fifty-move rule as soon as they may. */
export const chessPlay: TwoPlayers<Position> = {
  sides: ['White', 'Black'],
  toMove: ({ turn }) => (turn === 0 ? 0 : 1),
  ending(position): Ending | null {
    const outcome = outcomeOf(position);
    if (outcome !== null)
      return { text: outcome, winner: outcome.startsWith('White') ? 0 : outcome.startsWith('Black') ? 1 : null };
    const draw = claimableDraw(position);
    if (draw === null) return null;
    return { text: draw === 'fifty-move rule' ? 'draw by the fifty-move rule' : `draw by ${draw}`, winner: null };
  },
  move: sanOf,
  forbidden(position, tokens) {
    const squares = tokens.filter((token) => parseSquare(token).ok);
    const from = squares.length === 2 ? parseSquare(squares[0]) : null;
    if (!from?.ok) return tokens.join('');
    const kind = kindOf(position.pieceAt(from.value));
    const rest = tokens.slice(tokens.indexOf(squares[1]) + 1).join('');
    return `${kind > 1 ? KIND_LETTERS[kind] : ''}${squares.join('-')}${rest === '' ? '' : `=${rest.toUpperCase()}`}`;
  },
  read(text): Result<Uint16Array> {
    if (isFen(text)) return lineTo(text);
    const prompt = parsePrompt(text);
    if (!prompt.ok) return prompt;
    if (prompt.value.query.kind !== 'next')
      return fail('half-a-move', 'The last move is only half there; write it whole, such as e2e4 or Nf3.');
    return ok(prompt.value.moves);
  },
  reads: 'moves (e2e4, Nf3), a PGN, or a FEN',
  file(events, { names, winner }) {
    const result = winner === undefined ? '*' : winner === null ? '1/2-1/2' : winner === 0 ? '1-0' : '0-1';
    const tag = (name: string, value: string): string => `[${name} "${value.replace(/["\\]/g, "'")}"]`;
    const tags = [tag('Event', 'Blindfold'), tag('White', names[0]), tag('Black', names[1]), tag('Result', result)];
    const position = Position.initial();
    const words: string[] = [];
    for (let ply = 0; ply < events.length; ply++) {
      const san = sanOf(position, events[ply]);
      words.push(ply % 2 === 0 ? `${ply / 2 + 1}. ${san}` : san);
      position.play(events[ply]);
    }
    return `${tags.join('\n')}\n\n${wrapped([...words, result].join(' '))}\n`;
  },
};

function wrapped(text: string): string {
  return text.replace(new RegExp(`(.{1,${WIDTH}})( |$)`, 'g'), '$1\n').trimEnd();
}
