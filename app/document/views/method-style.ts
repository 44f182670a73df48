/**
 * How a method looks wherever it appears (view titles, curves, tables): a fixed hue of the Okabe–Ito family for its kind,
 * darkened on light ground to keep 4.5:1, and never colour alone: each has its own dash and mark as well.
 */
import { METHODS } from '../../../engine/index.ts';
import type { Appearance, Marker, MethodDefinition, MethodSummary } from '../../../engine/index.ts';

export interface MethodStyle {
  readonly label: string;
  /** The scenario's `kind`; of the truth its label. */
  readonly kind: string;
  /** For people: the scenario's label, or the kind's name as the field writes it. */
  readonly title: string;
  /** CSS colour that follows the theme. */
  readonly colour: string;
  /** The same as numbers, for canvases and exported figures. */
  readonly dark: string;
  readonly light: string;
  /** SVG stroke-dasharray; empty for a solid line. */
  readonly dash: string;
  readonly marker: Marker;
}

/** Label that the truth goes by in views; no method may be confused with it, since it is not a scenario's. */
export const TRUTH = '\u0000truth';

/** @returns whether a subject is a truth: that of the run, or that of a branch, whose name ends in it */
export function isTruth(subject: string): boolean {
  return subject.endsWith(TRUTH);
}

/** Appearance of kinds that this program does not know, as in a run of a later version. */
const OTHER: Appearance = { shades: [['#cc79a7', '#a34578']], dash: '4 4', marker: 'star' };

/** Dashes of the second, third, … method of one kind. */
const FURTHER_DASHES = ['4 2', '12 4', '3 2 3 6'];

export const TRUTH_STYLE: MethodStyle = {
  label: TRUTH,
  kind: TRUTH,
  title: 'Truth',
  colour: 'light-dark(#14181d, #ffffff)',
  dark: '#ffffff',
  light: '#14181d',
  dash: '',
  marker: 'wye',
};

function definitionOf(
  kind: string,
): Pick<MethodDefinition, 'title' | 'shortTitle' | 'appearance' | 'assimilates'> | undefined {
  return METHODS.find((definition) => definition.kind === kind);
}

/** @returns whether methods of a kind learn nothing from observations */
export function isFreeRun(kind: string): boolean {
  return definitionOf(kind)?.assimilates === false;
}

/** @returns the title of a kind of method, as the field writes it */
export function kindTitle(kind: string): string {
  const definition = definitionOf(kind);
  return definition?.shortTitle ?? definition?.title ?? kind;
}

/** Hues for the second, third, … method of a kind, in the order in which they are given away. */
const FURTHER_HUES: Appearance['shades'] = [
  ['#cc79a7', '#a34578'],
  ['#f0e442', '#746a00'],
  ['#009e73', '#007a58'],
  ['#b39ddb', '#6a4fa3'],
  ['#ff7f50', '#b8430a'],
  ['#e69f00', '#946200'],
  ['#56b4e9', '#0b6fa8'],
];

/** @returns the hue of a kind of method */
function ownOf(kind: string): Appearance['shades'][number] {
  return (definitionOf(kind)?.appearance ?? OTHER).shades[0];
}

/** @returns the hue of each method: that of its kind for the first of it, and for the others one that no method has */
function huesOf(kinds: readonly string[]): readonly Appearance['shades'][number][] {
  const taken = new Set(kinds.map((kind) => ownOf(kind)[0]));
  return kinds.map((kind, index) => {
    if (kinds.indexOf(kind) === index) return ownOf(kind);
    const free = FURTHER_HUES.find(([dark]) => !taken.has(dark)) ?? FURTHER_HUES[index % FURTHER_HUES.length];
    taken.add(free[0]);
    return free;
  });
}

/**
 * @param titles of methods whose labels say too little
 * @returns a style for each method, in their order; methods of one kind differ in hue and dash
 */
export function methodStyles(
  methods: readonly MethodSummary[],
  titles: ReadonlyMap<string, string> = new Map(),
): readonly MethodStyle[] {
  const seen = new Map<string, number>();
  const hues = huesOf(methods.map(({ kind }) => kind));
  return methods.map(({ label, kind }, index) => {
    const style = definitionOf(kind)?.appearance ?? OTHER;
    const ordinal = seen.get(kind) ?? 0;
    seen.set(kind, ordinal + 1);
    const [dark, light] = hues[index];
    return {
      label,
      kind,
      title: titles.get(label) ?? (label === kind ? kindTitle(kind) : label),
      colour: `light-dark(${light}, ${dark})`,
      dark,
      light,
      dash: ordinal === 0 ? style.dash : FURTHER_DASHES[(ordinal - 1) % FURTHER_DASHES.length],
      marker: style.marker,
    };
  });
}
