/**
 * Colours of figures and boards: the page's teal and rust, then blue, ochre, plum and slate. All stand at least 3 to 1
 * against the paper in both themes, and neighbours differ in lightness; marks differ in shape too, so that nothing
 * depends on telling hues apart.
 */
const light = {
  paper: '#ffffff',
  ink: '#1d1c1a',
  soft: '#625f58',
  line: '#e3dfd6',
  0: '#0f6e68',
  1: '#c2410c',
  2: '#2b4c9b',
  3: '#9a6a00',
  4: '#8b3a86',
  5: '#4a5560',
};
const dark: typeof light = {
  paper: '#1e1d1a',
  ink: '#ece9e2',
  soft: '#a6a195',
  line: '#34322d',
  0: '#4fb8ae',
  1: '#f5936a',
  2: '#8fb2ff',
  3: '#d9b04a',
  4: '#dc9ad8',
  5: '#aab6c2',
};

export type Palette = 'auto' | 'light' | 'dark';
export const COLOURS = 6;

const variables = (colours: typeof light): string =>
  Object.entries(colours)
    .map(([name, value]) => `--bf-${name}:${value}`)
    .join(';');

/** The colours as CSS variables on `selector`, dark where the reader's system is. */
export function colourVariables(selector: string): string {
  return `${selector}{${variables(light)}}@media(prefers-color-scheme:dark){${selector}{${variables(dark)}}}@media print{${selector}{${variables(light)}}}`;
}

/** Rules of figures. Only 'auto' needs a reader that knows CSS variables; the others name each colour. */
export function figureStyle(palette: Palette): string {
  const colour = (name: keyof typeof light): string =>
    palette === 'auto' ? `var(--bf-${name})` : (palette === 'light' ? light : dark)[name];
  const each = Array.from({ length: COLOURS }, (_, at) => {
    const own = colour(at as 0);
    return `.bf .bf-s${at}{stroke:${own}}.bf .bf-f${at}{fill:${own}}`;
  }).join('');
  return [
    palette === 'auto' ? colourVariables('.bf') : '',
    `.bf text{font:11px -apple-system,'Segoe UI',Roboto,'Noto Sans','Liberation Sans',Arial,sans-serif;fill:${colour('ink')}}`,
    `.bf .bf-paper{fill:${colour('paper')}}.bf .bf-tick{fill:${colour('soft')}}.bf .bf-grid{stroke:${colour('line')}}`,
    `.bf .bf-base{stroke:${colour('soft')}}.bf .bf-line{fill:none;stroke-width:1.8;stroke-linejoin:round}`,
    `.bf .bf-whisker{stroke-width:1.2;opacity:.75}.bf .bf-faint{opacity:.55}.bf .bf-faint .bf-line{stroke-dasharray:3 3;stroke-width:1.3}`,
    `.bf .bf-leader{stroke:${colour('soft')};stroke-width:.7;opacity:.7}.bf .bf-hollow{fill:${colour('paper')};stroke-width:1.5}`,
    `.bf .bf-ink{stroke:${colour('ink')}}.bf .bf-empty{fill:${colour('soft')};font-size:13px}`,
    each,
  ].join('');
}
