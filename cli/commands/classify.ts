import { defineCommand } from 'citty';
import * as v from 'valibot';
import { Budget } from '../../src/base/budget.ts';
import { jsonValue } from '../../src/base/json.ts';
import { InputError, inputError, type Failure } from '../../src/base/result.ts';
import { textLines } from '../../src/base/streams.ts';
import { parsePrefix } from '../../src/domains/chess/replay.ts';
import { parseSquare } from '../../src/domains/chess/rules/squares.ts';
import { classifyEnd } from '../../src/studies/testbed/error-taxonomy.ts';
import { standardInput, writeJsonLine } from '../node-io.ts';

const Line = v.looseObject({ prefix: v.string(), start: v.string(), predicted: v.string() });

export default defineCommand({
  meta: {
    name: 'classify',
    description:
      'The authors’ four-way error class of predicted destinations: JSON Lines {"prefix","start","predicted"} on standard input.',
  },
  async run() {
    for await (const { text, line } of textLines(standardInput(), 'standard input')) {
      if (text.trim() === '') continue;
      const given = parseLine(text, line);
      const position = parsePrefix(given.prefix);
      if (!position.ok) throw refused(line, position.error);
      const from = parseSquare(given.start);
      if (!from.ok) throw refused(line, from.error);
      writeJsonLine({ ...given, ...classifyEnd(position.value, from.value, given.predicted) });
    }
  },
});

function parseLine(text: string, line: number): v.InferOutput<typeof Line> {
  const json = jsonValue(text, new Budget('standard input'));
  if (!json.ok) throw refused(line, { code: 'not-json', message: `${json.error.message}; give one object a line.` });
  const parsed = v.safeParse(Line, json.value);
  if (!parsed.success)
    throw refused(line, { code: 'field-missing', message: 'needs the text fields "prefix", "start" and "predicted".' });
  return parsed.output;
}

function refused(line: number, { code, message }: Failure): InputError {
  return inputError(code, `line ${line}: ${message}`);
}
