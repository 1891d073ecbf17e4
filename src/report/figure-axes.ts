import { scaleLinear, scaleLog } from 'd3-scale';
import { tickText, type Unit } from './labels.ts';

/** A map from values to pixels, with the values to write along it. */
export interface Axis {
  (value: number): number;
  invert(pixel: number): number;
  ticks: { at: number; lines: string[] }[];
}
type Span = readonly [number, number];

/** Pixels from which on a name of several words is broken into lines; in less it is not read easily. */
const LINE_ROOM = 45;

/** Pixels that a tick has for itself, by the direction of its axis. */
const ROOM = { x: 70, y: 30 };

const tickCount = ([from, to]: Span, room: number): number =>
  Math.max(3, Math.min(6, Math.round(Math.abs(to - from) / room)));

/** Widened to round values at both ends. A span of one value is widened upwards. */
export function valueAxis([low, high]: Span, pixels: Span, unit: Unit): Axis {
  const count = tickCount(pixels, ROOM.y);
  const scale = scaleLinear([low, high > low ? high : low + (Math.abs(low) || 1)], pixels).nice(2 * count);
  return axis(scale, scale.ticks(count), unit);
}

/** For quantities that fall by factors; both ends above 0. */
export function logAxis([low, high]: Span, pixels: Span, unit: Unit): Axis {
  const count = tickCount(pixels, ROOM.y);
  const scale = scaleLog([low / 1.1, high * 1.1], pixels);
  const all = scale.ticks(count);
  // Over several powers of ten only some of the multiples of each are written; the format leaves out the others.
  const format = scale.tickFormat(count);
  return axis(scale, all.length <= 1.5 * count ? all : all.filter((tick) => format(tick) !== ''), unit);
}

/** From end to end without a margin, so that a run's last step is at the right edge. */
export function horizontalAxis(ends: Span, pixels: Span): Axis {
  const scale = scaleLinear(ends, pixels);
  return axis(scale, scale.ticks(tickCount(pixels, ROOM.x)), 'plain');
}

/** The places 0, 1 .. of a list, each in the middle of its share of the width; names that have no room are left out. */
export function categoryAxis(names: readonly string[], pixels: Span, widthOf: (text: string) => number): Axis {
  const scale = scaleLinear([-0.5, Math.max(1, names.length) - 0.5], pixels);
  const room = scale(1) - scale(0);
  const fit = (texts: readonly string[]): boolean => texts.every((text) => widthOf(text) <= room);
  // Words have up to three lines where one is too short, since a piece or a suite is not to be guessed from its neighbours.
  const [one, wrapped] = [names.map((name) => [name]), names.map((name) => linesOf(name, room, widthOf))];
  const lines = room >= LINE_ROOM && wrapped.every(({ length }) => length <= 3) && fit(wrapped.flat()) ? wrapped : one;
  const every = Math.max(1, Math.ceil(Math.max(0, ...lines.flat().map(widthOf)) / room));
  const ticks = lines.flatMap((text, at) => (at % every === 0 ? [{ at: scale(at), lines: text }] : []));
  return Object.assign((value: number) => scale(value), { invert: (pixel: number) => scale.invert(pixel), ticks });
}

/** The words of a name, as many in a line as have room there. */
function linesOf(name: string, room: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = [];
  for (const word of name.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && widthOf(longer) <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function axis(
  scale: { (value: number): number; invert(pixel: number): number },
  values: readonly number[],
  unit: Unit,
): Axis {
  return Object.assign((value: number) => scale(value), {
    invert: (pixel: number) => scale.invert(pixel),
    ticks: values.map((value) => ({ at: scale(value), lines: [tickText(value, unit)] })),
  });
}
