/**
 * Colours of the stage. Colour maps are computed and not copied: each is a path through OKLab, walked in equal steps, so that equal
 * differences of the value look like equal differences of colour. OKLab: B. Ottosson, "A perceptual color space for image
 * processing" (2020).
 */
import type { ColourMapName } from './field.ts';

/** Colours of a map, from its lower to its upper end. */
export const COLOUR_MAP_SIZE = 256;

export const COLOUR_MAP_NAMES: readonly ColourMapName[] = ['cividis', 'viridis', 'magma', 'diverging'];

type Triple = readonly [number, number, number];

/** @returns linear light of an sRGB component in 0 … 1 */
export function linearOfSrgb(component: number): number {
  return component <= 0.04045 ? component / 12.92 : ((component + 0.055) / 1.055) ** 2.4;
}

/** @returns the sRGB component of linear light, clipped to 0 … 1 */
export function srgbOfLinear(light: number): number {
  const clipped = Math.min(1, Math.max(0, light));
  return clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055;
}

/** @returns OKLab (L in 0 … 1, a, b) of an sRGB colour in 0 … 1 */
export function oklabOfSrgb([red, green, blue]: Triple): Triple {
  const [r, g, b] = [linearOfSrgb(red), linearOfSrgb(green), linearOfSrgb(blue)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** @returns the sRGB colour (0 … 1) of an OKLab one, clipped to what a screen shows */
export function srgbOfOklab([lightness, a, b]: Triple): Triple {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    srgbOfLinear(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    srgbOfLinear(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    srgbOfLinear(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function oklch(lightness: number, chroma: number, hueDegrees: number): Triple {
  const hue = (hueDegrees * Math.PI) / 180;
  return [lightness, chroma * Math.cos(hue), chroma * Math.sin(hue)];
}

function oklabOfHex(hex: string): Triple {
  const component = (at: number): number => Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return oklabOfSrgb([component(0), component(2), component(4)]);
}

/** Ends of the two arms have one lightness and one chroma, so that +x and −x weigh the same to the eye. */
const BLUE_END = oklch(0.42, 0.115, 252);
const BROWN_END = oklch(0.42, 0.115, 52);
const CENTRE: Triple = [0.965, 0, 0];

/** Points that the paths pass; the sequential ones follow the hues of the maps they are named for. */
const ANCHORS: Readonly<Record<ColourMapName, readonly Triple[]>> = {
  cividis: ['00224e', '35456c', '666970', '948e77', 'c8b866', 'fee838'].map(oklabOfHex),
  viridis: ['440154', '46327e', '365c8d', '277f8e', '1fa187', '4ac16d', 'a0da39', 'fde725'].map(oklabOfHex),
  magma: ['1c1044', '4f127b', '812581', 'b5367a', 'e55064', 'fb8761', 'fec287', 'fcfdbf'].map(oklabOfHex),
  diverging: [BLUE_END, CENTRE, BROWN_END],
};

function distance(a: Triple, b: Triple): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function between(a: Triple, b: Triple, t: number): Triple {
  return [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])];
}

/** Catmull–Rom: smooth, and through every anchor. */
function smoothPoint(anchors: readonly Triple[], at: number): Triple {
  const last = anchors.length - 1;
  const segment = Math.min(last - 1, Math.floor(at));
  const t = at - segment;
  const point = (index: number): Triple => anchors[Math.min(last, Math.max(0, index))] ?? CENTRE;
  const [p0, p1, p2, p3] = [point(segment - 1), point(segment), point(segment + 1), point(segment + 2)];
  const along = (k: 0 | 1 | 2): number =>
    0.5 *
    (2 * p1[k] +
      (p2[k] - p0[k]) * t +
      (2 * p0[k] - 5 * p1[k] + 4 * p2[k] - p3[k]) * t * t +
      (3 * p1[k] - p0[k] - 3 * p2[k] + p3[k]) * t ** 3);
  return [along(0), along(1), along(2)];
}

/** @returns `count` points at equal distances in OKLab along the path through the anchors */
function equalSteps(anchors: readonly Triple[], count: number, smooth: boolean): Triple[] {
  const fine = 4000;
  const last = anchors.length - 1;
  const path: Triple[] = [];
  for (let k = 0; k <= fine; k++) {
    const at = (k / fine) * last;
    const segment = Math.min(last - 1, Math.floor(at));
    path.push(
      smooth
        ? smoothPoint(anchors, at)
        : between(anchors[segment] ?? CENTRE, anchors[segment + 1] ?? CENTRE, at - segment),
    );
  }
  const length = new Float64Array(fine + 1);
  for (let k = 1; k <= fine; k++) {
    length[k] = (length[k - 1] ?? 0) + distance(path[k - 1] ?? CENTRE, path[k] ?? CENTRE);
  }
  const total = length[fine] ?? 0;
  const points: Triple[] = [];
  let k = 1;
  for (let n = 0; n < count; n++) {
    const wanted = (n / (count - 1)) * total;
    while (k < fine && (length[k] ?? 0) < wanted) k++;
    const from = length[k - 1] ?? 0;
    const span = (length[k] ?? 0) - from;
    points.push(between(path[k - 1] ?? CENTRE, path[k] ?? CENTRE, span > 0 ? (wanted - from) / span : 0));
  }
  return points;
}

const computed = new Map<ColourMapName, Uint8Array>();

/** @returns the map as `COLOUR_MAP_SIZE` sRGB colours, four bytes each (alpha 255); computed once */
export function colourMap(name: ColourMapName): Uint8Array {
  const known = computed.get(name);
  if (known) return known;
  const bytes = new Uint8Array(4 * COLOUR_MAP_SIZE);
  for (const [n, point] of equalSteps(ANCHORS[name], COLOUR_MAP_SIZE, name !== 'diverging').entries()) {
    const [red, green, blue] = srgbOfOklab(point);
    bytes.set([Math.round(255 * red), Math.round(255 * green), Math.round(255 * blue), 255], 4 * n);
  }
  computed.set(name, bytes);
  return bytes;
}

/** Ends of a diverging map over water, which is dark and green: they keep their hues down to zero. */
const OVER_WATER: { readonly below: Triple; readonly above: Triple } = {
  below: [0.17, 0.26, 0.82],
  above: [1, 0.76, 0.36],
};
/** What level water looks like, for legends. */
const LEVEL_WATER: Triple = [0.1, 0.4, 0.46];

/** @returns how strong a map's colour is over water at t, 0 … 1: not at all where a value is zero */
function strengthOverWater(name: ColourMapName, t: number): number {
  if (name === 'diverging') return 0.9 * Math.abs(2 * t - 1) ** 0.9;
  // A depth is nowhere zero.
  return name === 'cividis' ? 0.7 : 0.9 * Math.min(1, t / 0.4);
}

const tints = new Map<ColourMapName, Uint8Array>();

/** @returns the map as it is laid over water: `COLOUR_MAP_SIZE` sRGB colours with their strengths as alpha, four bytes each; computed once */
export function waterTint(name: ColourMapName): Uint8Array {
  const known = tints.get(name);
  if (known) return known;
  const bytes = Uint8Array.from(colourMap(name));
  for (let n = 0; n < COLOUR_MAP_SIZE; n++) {
    const t = n / (COLOUR_MAP_SIZE - 1);
    const { below, above } = OVER_WATER;
    if (name === 'diverging')
      bytes.set(
        (t < 0.5 ? below : above).map((component) => Math.round(255 * component)),
        4 * n,
      );
    bytes[4 * n + 3] = Math.round(255 * strengthOverWater(name, t));
  }
  tints.set(name, bytes);
  return bytes;
}

/**
 * @param overWater how strongly it is laid over level water; on nothing if omitted
 * @returns the map's colour at t in 0 … 1 (clipped) as a CSS colour
 */
export function cssColour(name: ColourMapName, t: number, overWater?: number): string {
  const bytes = overWater === undefined ? colourMap(name) : waterTint(name);
  const clipped = Number.isFinite(t) ? Math.min(1, Math.max(0, t)) : 0;
  const at = 4 * Math.round(clipped * (COLOUR_MAP_SIZE - 1));
  const strength = (overWater ?? 1) * (bytes[at + 3] / 255);
  const components = LEVEL_WATER.map((water, k) => Math.round(255 * water * (1 - strength) + bytes[at + k] * strength));
  return `rgb(${components.join(' ')})`;
}

/** The light of an increment, for shader and legend: screen colour of water that the analysis raises or lowers, 0 … 1. */
export const INCREMENT_LIGHT = { raised: [1, 0.72, 0.2], lowered: [0.22, 0.74, 1] } as const;

function css(light: Triple): string {
  return `rgb(${light.map((component) => Math.round(255 * component)).join(' ')})`;
}

/** @param water colour of water that is not changed @returns the gradient of the legend, from lowered to raised */
export function incrementGradient(water: string): string {
  return `linear-gradient(to right, ${css(INCREMENT_LIGHT.lowered)}, ${water}, ${css(INCREMENT_LIGHT.raised)})`;
}

/** Makes all colour maps, so that they are there when the first picture is drawn. */
export function prepareColourMaps(): void {
  for (const name of Object.keys(ANCHORS)) colourMap(name as ColourMapName);
}

/** Colours of the scene that are not data: ground, bed, land, walls; in screen colours (sRGB, 0 … 1), for both themes. */
export interface ScenePalette {
  readonly background: readonly [number, number, number];
  readonly bed: readonly [number, number, number];
  readonly land: readonly [number, number, number];
  readonly earth: readonly [number, number, number];
  /** Water seen from the side, at its surface and at its foot. */
  readonly shallow: readonly [number, number, number];
  readonly deep: readonly [number, number, number];
  readonly wall: readonly [number, number, number];
  readonly rim: readonly [number, number, number];
  /** An observation that has no innovation here: in the view of the truth. */
  readonly neutral: readonly [number, number, number];
  readonly stem: readonly [number, number, number];
  readonly ink: string;
  readonly quiet: string;
}

const rgb = (hex: string): readonly [number, number, number] => [
  Number.parseInt(hex.slice(1, 3), 16) / 255,
  Number.parseInt(hex.slice(3, 5), 16) / 255,
  Number.parseInt(hex.slice(5, 7), 16) / 255,
];

export const PALETTES: Readonly<Record<'dark' | 'light', ScenePalette>> = {
  dark: {
    background: rgb('#0e1116'),
    bed: rgb('#4a5058'),
    land: rgb('#7d7564'),
    earth: rgb('#2c3138'),
    shallow: rgb('#3d7690'),
    deep: rgb('#132a3a'),
    wall: rgb('#1b222b'),
    rim: rgb('#465362'),
    neutral: rgb('#e6eaf0'),
    stem: rgb('#aab4bf'),
    ink: '#e6eaf0',
    quiet: '#9aa5b1',
  },
  light: {
    background: rgb('#f6f8fa'),
    bed: rgb('#a9aeb4'),
    land: rgb('#c2b89f'),
    earth: rgb('#b9bfc6'),
    shallow: rgb('#8fbdd0'),
    deep: rgb('#3f7590'),
    wall: rgb('#e3e8ed'),
    rim: rgb('#9aa6b3'),
    neutral: rgb('#ffffff'),
    stem: rgb('#4a5561'),
    ink: '#14181d',
    quiet: '#57616c',
  },
};
