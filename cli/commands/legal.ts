import { defineCommand } from 'citty';
import { inputError } from '../../src/base/result.ts';
import { textLines } from '../../src/base/streams.ts';
import { fenOf } from '../../src/domains/chess/formats/fen.ts';
import { parsePrefix } from '../../src/domains/chess/replay.ts';
import { uciOf } from '../../src/domains/chess/formats/uci.ts';
import { standardInput, writeJsonLine } from '../node-io.ts';

export default defineCommand({
  meta: { name: 'legal', description: 'Legal moves after each game prefix on standard input, a prefix a line.' },
  async run() {
    for await (const { text, line } of textLines(standardInput(), 'standard input')) {
      const position = parsePrefix(text);
      if (!position.ok) throw inputError(position.error.code, `line ${line}: ${position.error.message}`);
      writeJsonLine({
        fen: fenOf(position.value),
        legal: position.value.legalMoves().map(uciOf).sort(),
        check: position.value.inCheck(),
      });
    }
  },
});
