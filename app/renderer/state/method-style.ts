/**
 * How a method looks wherever it appears (view titles, curves, tables): a fixed hue of the Okabe–Ito family for its kind,
 * darkened on light ground to keep 4.5:1, and never colour alone: each has its own dash and mark as well.
 */
import type { MethodSummary } from '../../../engine/index.ts';

export type Marker = 'circle' | 'square' | 'triangle' | 'diamond' | 'cross' | 'star' | 'wye';

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

/** The kind of the method that learns nothing. */
export const FREE_RUN = 'free-run';

/** Label that the truth goes by in views; no method may be confused with it, since it is not a scenario's. */
export const TRUTH = '\u0000truth';

type Shade = readonly [dark: string, light: string];

interface KindStyle {
  readonly title: string;
  /** For the first of its kind, the second, the third; then they come round again. */
  readonly shades: readonly Shade[];
  readonly dash: string;
  readonly marker: Marker;
}

const KINDS: Readonly<Record<string, KindStyle>> = {
  [FREE_RUN]: {
    title: 'Free run',
    shades: [
      ['#9aa5b1', '#5b6672'],
      ['#c3cbd4', '#3f4852'],
    ],
    dash: '2 3',
    marker: 'cross',
  },
  '3dvar': {
    title: '3D-Var',
    shades: [
      ['#e69f00', '#946200'],
      ['#ffc65c', '#6e4800'],
      ['#f0e442', '#746a00'],
    ],
    dash: '7 3',
    marker: 'square',
  },
  letkf: {
    title: 'LETKF',
    shades: [
      ['#56b4e9', '#0b6fa8'],
      ['#9fd6f5', '#08527d'],
      ['#cc79a7', '#a34578'],
    ],
    dash: '',
    marker: 'circle',
  },
  enkf: {
    title: 'EnKF',
    shades: [
      ['#009e73', '#007a58'],
      ['#5fd9b4', '#005a3e'],
    ],
    dash: '10 3 2 3',
    marker: 'triangle',
  },
  hybrid: {
    title: 'Hybrid',
    shades: [
      ['#d55e00', '#b34a00'],
      ['#ff9a5a', '#8a3900'],
    ],
    dash: '10 3 2 3 2 3',
    marker: 'diamond',
  },
};

const OTHER: KindStyle = { title: '', shades: [['#cc79a7', '#a34578']], dash: '4 4', marker: 'star' };

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

/** @returns the title of a kind of method, as the field writes it */
export function kindTitle(kind: string): string {
  return KINDS[kind]?.title ?? kind;
}

/** @returns a style for each method, in their order; methods of one kind are told apart by shade and dash */
export function methodStyles(methods: readonly MethodSummary[]): readonly MethodStyle[] {
  const seen = new Map<string, number>();
  return methods.map(({ label, kind }) => {
    const style = KINDS[kind] ?? OTHER;
    const ordinal = seen.get(kind) ?? 0;
    seen.set(kind, ordinal + 1);
    const [dark, light] = style.shades[ordinal % style.shades.length] ?? style.shades[0];
    return {
      label,
      kind,
      title: label === kind && style.title !== '' ? style.title : label,
      colour: `light-dark(${light}, ${dark})`,
      dark,
      light,
      dash: ordinal === 0 ? style.dash : FURTHER_DASHES[(ordinal - 1) % FURTHER_DASHES.length],
      marker: style.marker,
    };
  });
}
