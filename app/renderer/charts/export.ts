/**
 * Figures as files: SVG with every colour and font written out, PNG drawn from that SVG, CSV of the numbers. Saved through
 * the host, which asks where.
 */
import type { Host } from '../../host/host.ts';
import { formatCsv } from './csv.ts';
import type { DataTable } from './csv.ts';
import { embeddedFonts } from './fonts.ts';

/** Properties that the style sheet gives to marks and that the file must carry itself. */
const INLINED = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'font-variant-numeric',
] as const;

const SVG = 'http://www.w3.org/2000/svg';
/** Pixels of a PNG to one of the screen: enough for print at the size of a column. */
export const PNG_SCALE = 3;
const PADDING = 12;

/** A line of a figure and what it stands for. */
export interface LegendEntry {
  readonly title: string;
  readonly color: string;
  readonly dash: string;
}

export interface Drawing {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

function inlineStyles(original: Element, copy: Element): void {
  const style = getComputedStyle(original);
  for (const property of INLINED) {
    const value = style.getPropertyValue(property);
    if (value !== '') copy.setAttribute(property, value);
  }
  copy.removeAttribute('class');
  for (let index = 0; index < original.children.length; index++) {
    inlineStyles(original.children[index], copy.children[index]);
  }
}

/** @returns a chart as it is on screen without the crosshair, styles written out */
function standAlone(chart: SVGSVGElement): SVGSVGElement {
  const copy = chart.cloneNode(true) as SVGSVGElement;
  inlineStyles(chart, copy);
  const transient = [...chart.querySelectorAll('*')].map((element) => element.closest('.chart-transient') !== null);
  [...copy.querySelectorAll('*')].filter((_, index) => transient[index]).forEach((element) => element.remove());
  for (const attribute of ['role', 'aria-label', 'aria-hidden']) copy.removeAttribute(attribute);
  return copy;
}

/**
 * @param charts of one figure, which are put one below the other
 * @param title written above them
 * @param legend of lines that carry no label of their own
 * @param surroundings whose background and type are taken
 */
export function drawFigure(
  charts: readonly SVGSVGElement[],
  title: string,
  surroundings: Element,
  legend: readonly LegendEntry[] = [],
): Drawing {
  const style = getComputedStyle(surroundings);
  const head = legend.length > 0 ? 50 : 30;
  const width = Math.max(0, ...charts.map((chart) => chart.width.baseVal.value)) + 2 * PADDING;
  const height = charts.reduce((sum, chart) => sum + chart.height.baseVal.value, head) + 2 * PADDING;
  const figure = document.createElementNS(SVG, 'svg');
  const attributes = { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` };
  for (const [name, value] of Object.entries(attributes)) figure.setAttribute(name, String(value));
  const add = (name: string, given: Readonly<Record<string, string | number>>, text = ''): void => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(given)) element.setAttribute(key, String(value));
    element.textContent = text;
    figure.append(element);
  };
  add('title', {}, title);
  add('rect', { width, height, fill: backgroundOf(surroundings) });
  const type = { 'font-family': style.fontFamily, 'font-size': 14, 'font-weight': 600, fill: style.color };
  add('text', { x: PADDING, y: PADDING + 14, ...type }, title);
  let x = PADDING;
  for (const { title: name, color, dash } of legend) {
    const [middle, small] = [PADDING + 34, 11];
    add('line', {
      x1: x,
      x2: x + 22,
      y1: middle,
      y2: middle,
      stroke: color,
      'stroke-width': 2,
      'stroke-dasharray': dash,
    });
    add('text', { x: x + 28, y: middle + 4, ...type, 'font-size': small, 'font-weight': 400 }, name);
    x += 44 + 0.6 * small * name.length;
  }
  let y = PADDING + head;
  for (const chart of charts) {
    const copy = standAlone(chart);
    copy.setAttribute('x', String(PADDING));
    copy.setAttribute('y', String(y));
    figure.append(copy);
    y += chart.height.baseVal.value;
  }
  return { svg: new XMLSerializer().serializeToString(figure), width, height };
}

/** The first background behind an element that is not see-through. */
function backgroundOf(element: Element): string {
  for (let each: Element | null = element; each !== null; each = each.parentElement) {
    const { backgroundColor } = getComputedStyle(each);
    if (backgroundColor !== 'transparent' && !/[,/]\s*0\)$/.test(backgroundColor)) return backgroundColor;
  }
  return 'white';
}

/** @throws Error when the browser cannot draw the SVG */
export async function rasterise({ svg, width, height }: Drawing, scale = PNG_SCALE): Promise<Uint8Array> {
  const fonts = await embeddedFonts(svg);
  const whole = svg.replace('<title>', `<style>${fonts.replaceAll('<', '')}</style><title>`);
  const url = URL.createObjectURL(new Blob([whole], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('The figure cannot be drawn: the browser gives no 2D canvas.');
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (blob === null) throw new Error('The figure cannot be written as PNG.');
    return new Uint8Array(await blob.arrayBuffer());
  } finally {
    URL.revokeObjectURL(url);
  }
}

export type FigureFormat = 'svg' | 'png' | 'csv';

export interface FigureSource {
  /** For the file's name: `first-light-rmse`. */
  readonly name: string;
  readonly title: string;
  readonly charts: readonly SVGSVGElement[];
  readonly surroundings: Element;
  readonly legend: readonly LegendEntry[];
  readonly table: DataTable;
}

/** @returns the name it was saved under, or undefined when it was cancelled */
export async function saveFigure(
  host: Pick<Host, 'save'>,
  format: FigureFormat,
  source: FigureSource,
): Promise<string | undefined> {
  const name = `${source.name}.${format}`;
  const encoder = new TextEncoder();
  switch (format) {
    case 'csv':
      return host.save(name, 'text/csv', encoder.encode(formatCsv(source.table)));
    case 'svg': {
      const { svg } = drawFigure(source.charts, source.title, source.surroundings, source.legend);
      return host.save(name, 'image/svg+xml', encoder.encode(svg));
    }
    case 'png': {
      const drawing = drawFigure(source.charts, source.title, source.surroundings, source.legend);
      return host.save(name, 'image/png', await rasterise(drawing));
    }
    default:
      return format satisfies never;
  }
}
