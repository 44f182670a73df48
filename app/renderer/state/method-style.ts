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

/** Of kinds that this program does not know, as in a run of a later one. */
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

/** @returns a style for each method, in their order; methods of one kind are told apart by shade and dash */
export function methodStyles(methods: readonly MethodSummary[]): readonly MethodStyle[] {
  const seen = new Map<string, number>();
  return methods.map(({ label, kind }) => {
    const style = definitionOf(kind)?.appearance ?? OTHER;
    const ordinal = seen.get(kind) ?? 0;
    seen.set(kind, ordinal + 1);
    const [dark, light] = style.shades[ordinal % style.shades.length] ?? style.shades[0];
    return {
      label,
      kind,
      title: label === kind ? kindTitle(kind) : label,
      colour: `light-dark(${light}, ${dark})`,
      dark,
      light,
      dash: ordinal === 0 ? style.dash : FURTHER_DASHES[(ordinal - 1) % FURTHER_DASHES.length],
      marker: style.marker,
    };
  });
}
