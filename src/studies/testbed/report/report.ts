import { configurationsOf } from './configurations.ts';
import { gameLengths, promptLengths } from './figures/lengths.ts';
import { pathLengthFigures } from './figures/path-lengths.ts';
import { rapSweep } from './figures/rap-sweep.ts';
import type { ReportInput } from './report-input.ts';
import type { Figure, Table } from '../../../report/table.ts';
import { lengthFigures, lengthTable } from './tables/by-length.ts';
import { errorTable, obstructionTable, pseudoLegalTable } from './tables/errors.ts';
import { dataTable, pieceTable } from './tables/games.ts';
import { hyperParameterTable } from './tables/hyper-parameters.ts';
import { perplexityTable } from './tables/perplexity.ts';
import { architectureTable, endTable, modelSizeTable, randomPlayTable, startTable } from './tables/squares.ts';

/** Every table, the paper's in its order and then those beyond it; with nothing of the user's, published values alone. */
export function tablesOf(input: ReportInput): Table[] {
  const configurations = configurationsOf(input.assessments);
  return [
    perplexityTable(configurations),
    startTable(configurations),
    endTable(configurations),
    architectureTable(configurations),
    modelSizeTable(configurations),
    dataTable(input.games),
    pieceTable(input, configurations),
    hyperParameterTable(configurations),
    errorTable(configurations),
    pseudoLegalTable(configurations),
    obstructionTable(configurations),
    lengthTable(configurations),
    randomPlayTable(configurations),
  ];
}

/** Every figure that is a chart; those that show boards are in figures/wrong-answers.ts. */
export function figuresOf(input: ReportInput): Figure[] {
  const configurations = configurationsOf(input.assessments);
  return [
    rapSweep(configurations),
    gameLengths(input.games),
    ...promptLengths(input),
    ...pathLengthFigures(configurations),
    ...lengthFigures(configurations),
  ];
}
