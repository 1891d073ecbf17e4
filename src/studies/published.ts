/** What a paper reports of one model. */
export interface Published {
  /** As short as a label on a chart: "Train-L". */
  label: string;
  /** As a table's row names the model, with what it learned from: "UCI + RAP, 200,000 games played by people". */
  model: string;
  /** "Toshniwal et al. (2022, Tables 4 to 7)". */
  source: string;
  /** By the names of the study's live scores, in their units. */
  values: Readonly<Record<string, number>>;
}
