/**
 * Colours of figures and boards: the page's teal and ink, then rust, blue, ochre and plum. All stand at least 3 to 1
 * against the paper in both themes, and neighbours differ in lightness; marks differ in shape too, so that nothing
 * depends on telling hues apart.
 */
const light = {
  paper: '#ffffff',
  ink: '#1d1c1a',
  soft: '#625f58',
  line: '#e3dfd6',
  0: '#0f6e68',
  1: '#1d1c1a',
  2: '#c2410c',
  3: '#2b4c9b',
  4: '#9a6a00',
  5: '#8b3a86',
};
const dark: typeof light = {
  paper: '#1e1d1a',
  ink: '#ece9e2',
  soft: '#a6a195',
  line: '#34322d',
  0: '#4fb8ae',
  1: '#ece9e2',
  2: '#f5936a',
  3: '#8fb2ff',
  4: '#d9b04a',
  5: '#dc9ad8',
};

/** 'auto' follows the reader's system, 'scheme' the `color-scheme` of the page around it. */
export type Palette = 'auto' | 'scheme' | 'light' | 'dark';
export const COLOURS = 6;

const variables = (colours: typeof light): string =>
  Object.entries(colours)
    .map(([name, value]) => `--bf-${name}:${value}`)
    .join(';');

/** The colours as CSS variables on `selector`, dark where the reader's system is. */
export function colourVariables(selector: string): string {
  return `${selector}{${variables(light)}}@media(prefers-color-scheme:dark){${selector}{${variables(dark)}}}@media print{${selector}{${variables(light)}}}`;
}

/** The same by the `color-scheme` of the element. */
function schemeVariables(selector: string): string {
  const either = Object.entries(light).map(([name, value]) => [name, `light-dark(${value},${dark[name as 'ink']})`]);
  return `${selector}{${variables(Object.fromEntries(either) as typeof light)}}`;
}

/** Rules of figures. 'light' and 'dark' name each colour, for readers that know no CSS variables. */
export function figureStyle(palette: Palette): string {
  const colour = (name: keyof typeof light): string =>
    palette === 'light' ? light[name] : palette === 'dark' ? dark[name] : `var(--bf-${name})`;
  const each = Array.from({ length: COLOURS }, (_, at) => {
    const own = colour(at as 0);
    return `.bf .bf-s${at}{stroke:${own}}.bf .bf-f${at}{fill:${own}}`;
  }).join('');
  return [
    palette === 'auto' ? colourVariables('.bf') : palette === 'scheme' ? schemeVariables('.bf') : '',
    `.bf text{font:11px -apple-system,'Segoe UI',Roboto,'Noto Sans','Liberation Sans',Arial,sans-serif;font-variant-numeric:tabular-nums;fill:${colour('ink')}}`,
    `.bf .bf-paper{fill:${colour('paper')}}.bf .bf-tick{fill:${colour('soft')}}.bf .bf-grid{stroke:${colour('line')}}`,
    `.bf .bf-base{stroke:${colour('soft')}}.bf .bf-line{fill:none;stroke-width:1.8;stroke-linejoin:round}.bf .bf-raw{stroke-width:1;opacity:.35}`,
    `.bf .bf-bar{fill-opacity:.75}.bf .bf-band{opacity:.1}.bf .bf-whisker{stroke-width:1.2;opacity:.75}`,
    `.bf .bf-faint{opacity:.55}.bf .bf-faint .bf-line{stroke-dasharray:3 3;stroke-width:1.3}`,
    `.bf .bf-reference{stroke-dasharray:1 4;stroke-linecap:round;stroke-width:1.5;opacity:.7}.bf .bf-newest{font-weight:650}`,
    `.bf .bf-halo{paint-order:stroke;stroke:${colour('paper')};stroke-width:3px;stroke-linejoin:round}`,
    `.bf .bf-marked{fill:none;stroke-width:1.5}`,
    `.bf .bf-mark{fill:${colour('paper')};stroke:${colour('ink')};stroke-width:1.4}`,
    `.bf .bf-leader{stroke:${colour('soft')};stroke-width:.7;opacity:.7}.bf .bf-hollow{fill:${colour('paper')};stroke-width:1.5}`,
    // Under the whiskers of bars, which may be as dark as the whiskers.
    `.bf .bf-under{stroke:${colour('paper')};stroke-width:3.6;opacity:.9}`,
    `.bf .bf-ink{stroke:${colour('ink')}}.bf .bf-empty{fill:${colour('soft')}}`,
    each,
  ].join('');
}
