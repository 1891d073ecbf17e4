import type { Figure, Table } from '../../../report/table.ts';
import { splatConfigurations } from './configurations.ts';
import { dataTable } from './data.ts';
import { distanceTables } from './distances.ts';
import { forgettingTable } from './forgetting.ts';
import { massFigure, massTable } from './masses.ts';
import { memorisationFigures } from './memorisation.ts';
import { probingTable, probingTables } from './probing.ts';
import type { SplatReportInput } from './report-input.ts';

/**
 * SPLAT's tables in the paper's order, then those beyond it; with nothing of the user's, published values alone.
 * @param byGame one in the place of Table 3 for each game, for screens: side by side games are too wide
 */
export function splatTables({ assessments, data }: SplatReportInput, byGame = false): Table[] {
  const configurations = splatConfigurations(assessments);
  return [
    dataTable(data, configurations),
    ...(byGame ? probingTables(configurations) : [probingTable(configurations)]),
    massTable(configurations),
    forgettingTable(configurations),
    ...distanceTables(configurations),
  ];
}

/** Table 4 as bars, and Figure 2 of every game. */
export function splatFigures({ assessments }: SplatReportInput): Figure[] {
  const configurations = splatConfigurations(assessments);
  return [massFigure(configurations), ...memorisationFigures(configurations)];
}
