/**
 * Figures as files: SVG with every colour and font written out, PNG drawn from that SVG, CSV of the numbers. Saved through
 * the host, which asks where.
 */
import type { Host } from '../host/host.ts';
import { formatCsv, type DataTable } from '../format/tables.ts';
import { wrapText } from '../plot/labels.ts';

/** Code points that a font's file is for, the last included. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** @returns the code points of a `unicode-range`: `U+0000-00FF, U+0131, U+30??`; all of them where it is empty */
export function parseUnicodeRange(text: string): Range[] {
  if (text.trim() === '') return [{ from: 0, to: 0x10ffff }];
  return text.split(',').flatMap((part) => {
    const match = /^u\+([\da-f]+)(\?*)(?:-([\da-f]+))?$/i.exec(part.trim());
    if (match === null) return [];
    const [, first, wild, last] = match;
    const from = Number.parseInt(first + '0'.repeat(wild.length), 16);
    return [{ from, to: Number.parseInt(last ?? first + 'F'.repeat(wild.length), 16) }];
  });
}

/** Whether any character of a text belongs to one of the ranges. */
export function usesRange(text: string, ranges: readonly Range[]): boolean {
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (ranges.some(({ from, to }) => code >= from && code <= to)) return true;
  }
  return false;
}

async function dataUrl(url: string): Promise<string> {
  const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
  let binary = '';
  for (const byte of bytes) binary += String.fromCodePoint(byte);
  return `data:font/woff2;base64,${btoa(binary)}`;
}

function fontFaceRules(): { readonly rule: CSSFontFaceRule; readonly base: string }[] {
  return [...document.styleSheets].flatMap((sheet) => {
    const base = sheet.href ?? document.baseURI;
    return [...sheet.cssRules].flatMap((rule) => (rule instanceof CSSFontFaceRule ? [{ rule, base }] : []));
  });
}

/** @returns `@font-face` rules with the fonts inside them, those that a text needs */
async function embeddedFonts(text: string): Promise<string> {
  const wanted = fontFaceRules().filter(({ rule: { style } }) => {
    const family = style.getPropertyValue('font-family').replaceAll(/["']/g, '');
    const ranges = parseUnicodeRange(style.getPropertyValue('unicode-range'));
    return style.getPropertyValue('font-style') !== 'italic' && text.includes(family) && usesRange(text, ranges);
  });
  const rules = wanted.map(async ({ rule: { style }, base }) => {
    const source = /url\(["']?([^"')]+)["']?\)/.exec(style.getPropertyValue('src'))?.[1];
    if (source === undefined) return '';
    const family = style.getPropertyValue('font-family');
    const weight = style.getPropertyValue('font-weight') || 'normal';
    const range = style.getPropertyValue('unicode-range');
    const limit = range === '' ? '' : `unicode-range:${range};`;
    const url = await dataUrl(new URL(source, base).href);
    return `@font-face{font-family:${family};font-weight:${weight};${limit}src:url(${url}) format("woff2")}`;
  });
  return (await Promise.all(rules)).join('');
}

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
  'paint-order',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'font-variant-numeric',
] as const;

const SVG = 'http://www.w3.org/2000/svg';
/** Pixels of a PNG to one of the screen: enough for print at the size of a column. */
const PNG_SCALE = 3;
const PADDING = 12;

/** @returns pixels as an address that both the page and a saved figure can show */
export function pictureAddress({
  width,
  height,
  pixels,
}: {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
}): string {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d')?.putImageData(new ImageData(pixels, width, height), 0, 0);
  return canvas.toDataURL();
}

interface Drawing {
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
  for (const attribute of ['role', 'aria-label', 'aria-hidden', 'data-legend']) copy.removeAttribute(attribute);
  return copy;
}

/** A line of a figure in the colours of the theme, and its meaning. */
export interface DrawnEntry {
  readonly title: string;
  readonly color: string;
  readonly dash: string;
}

interface FigureWords {
  readonly title: string;
  /** Under the title: `First light, cycle 18`. */
  readonly subtitle: string;
  /** Under the charts: what is drawn, and in which unit. */
  readonly caption: string;
  /** Legend of lines that may have no label of their own. */
  readonly legend: readonly DrawnEntry[];
}

/** Sizes of type in a saved figure and from line to line, pixels. */
const TYPE = { title: 14, small: 11, line: 16 } as const;
/** A legend's line, and the room to the next entry. */
const SWATCH = 22;
const ENTRY_GAP = 16;

/** @returns what measures a text in pixels, in the type of the page */
function measureIn(family: string, size: number, weight: number): (text: string) => number {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return (text) => 0.6 * size * text.length;
  context.font = `${weight} ${size}px ${family}`;
  return (text) => context.measureText(text).width;
}

/** @returns the entries of a legend in rows that fit a width, each with its place along its row */
function legendRows(
  legend: readonly DrawnEntry[],
  width: number,
  measure: (text: string) => number,
): readonly (readonly (DrawnEntry & { readonly x: number })[])[] {
  const rows: (DrawnEntry & { x: number })[][] = [];
  let x = 0;
  for (const entry of legend) {
    const size = SWATCH + 6 + measure(entry.title);
    if (rows.length === 0 || x + size > width) {
      rows.push([]);
      x = 0;
    }
    rows[rows.length - 1].push({ ...entry, x });
    x += size + ENTRY_GAP;
  }
  return rows;
}

/**
 * @param charts of one figure, which are put one below the other
 * @param words above and below them; the legend only where a line has no label
 * @param surroundings whose background and type are taken
 */
function drawFigure(
  charts: readonly SVGSVGElement[],
  { title, subtitle, caption, legend }: FigureWords,
  surroundings: Element,
): Drawing {
  const style = getComputedStyle(surroundings);
  const quiet = quietColour(surroundings);
  const inner = Math.max(0, ...charts.map((chart) => chart.width.baseVal.value));
  const width = inner + 2 * PADDING;
  const small = measureIn(style.fontFamily, TYPE.small, 400);
  const large = measureIn(style.fontFamily, TYPE.title, 600);
  const needsLegend = charts.some(({ dataset }) => dataset['legend'] === 'true');
  const rows = needsLegend ? legendRows(legend, inner, small) : [];
  const figure = document.createElementNS(SVG, 'svg');
  const add = (name: string, given: Readonly<Record<string, string | number>>, text = ''): void => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(given)) element.setAttribute(key, String(value));
    element.textContent = text;
    figure.append(element);
  };
  let y = PADDING;
  const writeLines = (text: string, size: number, weight: number, fill: string): void => {
    const lines = wrapText(text, inner, weight === 600 ? large : small);
    for (const line of lines) {
      y += TYPE.line;
      add(
        'text',
        { x: PADDING, y: y - 3, 'font-family': style.fontFamily, 'font-size': size, 'font-weight': weight, fill },
        line,
      );
    }
  };
  add('title', {}, title);
  // Drawn first, sized when all else has its place.
  add('rect', { width, fill: backgroundOf(surroundings) });
  const ground = figure.lastElementChild;
  writeLines(title, TYPE.title, 600, style.color);
  writeLines(subtitle, TYPE.small, 400, quiet);
  for (const row of rows) {
    y += TYPE.line;
    for (const { x, title: name, color, dash } of row) {
      const at = PADDING + x;
      const middle = y - 7;
      add('line', {
        x1: at,
        x2: at + SWATCH,
        y1: middle,
        y2: middle,
        stroke: color,
        'stroke-width': 2,
        'stroke-dasharray': dash,
      });
      add(
        'text',
        { x: at + SWATCH + 6, y: y - 3, 'font-family': style.fontFamily, 'font-size': TYPE.small, fill: style.color },
        name,
      );
    }
  }
  y += 6;
  for (const chart of charts) {
    const copy = standAlone(chart);
    copy.setAttribute('x', String(PADDING));
    copy.setAttribute('y', String(y));
    figure.append(copy);
    y += chart.height.baseVal.value;
  }
  writeLines(caption, TYPE.small, 400, quiet);
  const height = Math.ceil(y + PADDING);
  ground?.setAttribute('height', String(height));
  const attributes = { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` };
  for (const [name, value] of Object.entries(attributes)) figure.setAttribute(name, String(value));
  return { svg: new XMLSerializer().serializeToString(figure), width, height };
}

/** The colour of captions, as the page resolves it for the theme. */
function quietColour(surroundings: Element): string {
  const caption = surroundings.querySelector('.figure-help, .figure-note') ?? surroundings;
  return getComputedStyle(caption).color;
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
async function rasterise({ svg, width, height }: Drawing, scale = PNG_SCALE): Promise<Uint8Array> {
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

interface FigureSource extends FigureWords {
  /** For the file's name: `first-light-rmse`. */
  readonly name: string;
  readonly charts: readonly SVGSVGElement[];
  readonly surroundings: Element;
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
      const { svg } = drawFigure(source.charts, source, source.surroundings);
      return host.save(name, 'image/svg+xml', encoder.encode(svg));
    }
    case 'png': {
      const drawing = drawFigure(source.charts, source, source.surroundings);
      return host.save(name, 'image/png', await rasterise(drawing));
    }
    default:
      return format satisfies never;
  }
}
