/** Saves a figure as SVG, PNG or CSV. */

const carried = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-opacity',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'font-variant-numeric',
];

/** The drawing with every style written on its own elements, on the page's own background. */
export function standaloneSvg(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [svg, ...svg.querySelectorAll('*')];
  const copies = [copy, ...copy.querySelectorAll('*')];
  for (const [i, original] of originals.entries()) {
    const style = getComputedStyle(original);
    copies[i].setAttribute('style', carried.map((name) => `${name}:${style.getPropertyValue(name)}`).join(';'));
    copies[i].removeAttribute('class');
  }
  for (const guide of copy.querySelectorAll('[data-guide]')) guide.remove();
  const { width, height } = svg.getBoundingClientRect();
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  const paper = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  paper.setAttribute('width', '100%');
  paper.setAttribute('height', '100%');
  paper.setAttribute('fill', getComputedStyle(document.body).backgroundColor);
  copy.prepend(paper);
  return new XMLSerializer().serializeToString(copy);
}

/** The same as pixels. */
export function standalonePng(svg: SVGSVGElement): Promise<Blob> {
  const { width, height } = svg.getBoundingClientRect();
  return pngOf(standaloneSvg(svg), width, height);
}

/** A whole SVG as pixels, three to a CSS pixel. */
export async function pngOf(svg: string, width: number, height: number): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image(width, height);
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = width * 3;
    canvas.height = height * 3;
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('This browser gave no canvas to draw on; save the figure as SVG instead.');
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) =>
        blob ? resolve(blob) : reject(new Error('The PNG could not be made; save the figure as SVG instead.')),
      ),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** One row for each x, one column for each series; empty where a series has no value. */
export function csvOf(
  xName: string,
  series: readonly { key: string; points: readonly { x: number; y: number }[] }[],
): string {
  const rows = new Map<number, (number | '')[]>();
  for (const [i, { points }] of series.entries())
    for (const { x, y } of points) {
      if (!rows.has(x))
        rows.set(
          x,
          series.map(() => ''),
        );
      rows.get(x)![i] = y;
    }
  const lines = [...rows].sort(([a], [b]) => a - b).map(([x, values]) => [x, ...values].join(','));
  return [[xName, ...series.map(({ key }) => key)].join(','), ...lines].join('\n') + '\n';
}

export function saveFile(
  name: string,
  content: Blob | string | Uint8Array<ArrayBuffer>,
  type = 'application/octet-stream',
): void {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Some browsers begin to read only after the click has returned.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
