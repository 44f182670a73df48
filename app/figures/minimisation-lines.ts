/**
 * A minimisation as lines over its iterations, and as a table; beside those of overlaid runs, of the same method in the same cycle or
 * the last before it.
 */
import type { CycleDiagnostics, MinimisationExplanation } from '../../engine/index.ts';
import type { DataTable } from '../format/tables.ts';
import type { PlotSeries } from '../plot/layout.ts';
import { dataDomain, needsDecades, type AxisSpec } from '../plot/scales.ts';
import { formatNumber } from '../format/numbers.ts';
import type { OverlaidRun } from '../document/lines/overlaid.ts';
import { latestWith } from '../document/views/series.ts';

type Minimisation = NonNullable<CycleDiagnostics['minimisation']>;

export interface OverlaidMinimisation extends Pick<OverlaidRun, 'id' | 'title' | 'dash'> {
  readonly report: Minimisation;
}

/** @returns those of the runs that have one of the method, at the cycle or before it */
export function overlaidMinimisations(
  overlaid: readonly OverlaidRun[],
  method: string,
  cycle: number,
): readonly OverlaidMinimisation[] {
  return overlaid.flatMap(({ id, title, dash, diagnostics }) => {
    const row = latestWith(diagnostics.get(method) ?? [], cycle, ({ minimisation }) => minimisation !== undefined);
    return row?.minimisation ? [{ id, title, dash, report: row.minimisation }] : [];
  });
}

/**
 * @param of the line of the run on screen that they are beside
 * @returns a thin line for each, by iteration, dashed as the run has it
 */
export function minimisationLines(
  found: readonly OverlaidMinimisation[],
  { key, label }: Pick<PlotSeries, 'key' | 'label'>,
  color: string,
  valuesOf: (report: Minimisation) => readonly number[],
): readonly PlotSeries[] {
  return found.map(({ id, title, dash, report }) => ({
    key: `${id} ${key}`,
    label: `${label}, ${title}`,
    endLabel: title,
    color,
    dash,
    thin: true,
    beside: key,
    points: valuesOf(report).map((y, x) => ({ x, y })),
  }));
}

/** @returns as in `Run 1: 34 iterations, condition number 12` */
export function minimisationWords({ title, report }: OverlaidMinimisation): string {
  return `${title}: ${report.iterations} iterations, condition number ${formatNumber(report.conditionNumber)}`;
}

/** What every minimisation reports by iteration, from 0 on. */
interface CostByIteration {
  readonly cost: ArrayLike<number>;
  readonly backgroundCost: ArrayLike<number>;
  readonly observationCost: ArrayLike<number>;
}

export type MinimisationRow = NonNullable<CycleDiagnostics['minimisation']>;

/** Colour of the minimisation without preconditioning, which is no method's own. */
export const PLAIN_COLOUR = 'var(--quiet)';

export const ITERATION_AXIS: AxisSpec = { label: 'Iteration', unit: '', scale: 'linear', whole: true };

/** @returns the axis of iterations up to the last of several minimisations, which begins with 0 */
export function iterationAxis(iterations: readonly number[]): AxisSpec {
  return { ...ITERATION_AXIS, domain: [0, Math.max(1, ...iterations)] };
}

export function iterationName(x: number): string {
  return `Iteration ${x}`;
}

/** @param first iteration of the first value */
export function points(values: ArrayLike<number>, first = 0): { readonly x: number; readonly y: number }[] {
  return Array.from(values, (y, k) => ({ x: first + k, y }));
}

/** Total and both parts, distinguished by their dashes. */
export function costLines({ cost, backgroundCost, observationCost }: CostByIteration, color: string): PlotSeries[] {
  return [
    { key: 'J', label: 'J', color, dash: '', points: points(cost) },
    { key: 'Jb', label: 'Jb', color, dash: '6 3', points: points(backgroundCost) },
    { key: 'Jo', label: 'Jo', color, dash: '2 3', points: points(observationCost) },
  ];
}

/** @returns the same axis for charts beside each other, by its label: logarithmic where what is compared takes decades */
export function commonAxis(compared: readonly number[], shown = compared): (label: string) => AxisSpec {
  const scale = needsDecades(compared) ? 'log' : 'linear';
  const [low, high] = dataDomain(shown, scale) ?? [0, 1];
  return (label) => ({ label, unit: '', scale, domain: [scale === 'log' ? low : Math.min(0, low), high] });
}

/** @returns the axis of the costs of both minimisations; its parts begin with nothing, J decides whether decades matter */
export function costAxis({ preconditioned, plain }: MinimisationExplanation): (label: string) => AxisSpec {
  const courses = [preconditioned, plain];
  const totals = courses.flatMap(({ cost }) => [...cost]);
  const parts = courses.flatMap(({ backgroundCost, observationCost }) => [...backgroundCost, ...observationCost]);
  return commonAxis(totals, [...totals, ...parts]);
}

/** @returns the axis of the Ritz values of both minimisations */
export function ritzAxis({ preconditioned, plain }: MinimisationExplanation): (label: string) => AxisSpec {
  const ends = [preconditioned, plain].flatMap(({ ritzValues }) =>
    ritzValues.flatMap((values) => (values.length > 0 ? [values[0], values[values.length - 1]] : [])),
  );
  return commonAxis(ends);
}

interface Spectra {
  readonly kept: Uint32Array;
  readonly ritzValues: readonly Float64Array[];
}

/** The largest and the smallest Ritz value by iteration, and those between them: the second from above, the third, … */
export function ritzLines({ kept, ritzValues }: Spectra, color: string): PlotSeries[] {
  const line = (pick: (values: Float64Array) => number | undefined) =>
    ritzValues.flatMap((values, place) => {
      const y = pick(values);
      return y === undefined ? [] : [{ x: kept[place], y }];
    });
  const most = Math.max(0, ...ritzValues.map(({ length }) => length));
  const between = Array.from({ length: Math.max(0, most - 2) }, (_, rank) =>
    line((values) => (values.length > rank + 2 ? values[values.length - 2 - rank] : undefined)),
  );
  return [
    { key: 'largest', label: 'largest', color, dash: '', points: line((values) => values.at(-1)), bundle: between },
    { key: 'smallest', label: 'smallest', color, dash: '6 3', points: line((values) => values[0]) },
  ];
}

const RESIDUAL = 'residual relative to the first';

/** The table of the run on screen, with cost and residual of overlaid ones. */
export function minimisationTable(
  report: MinimisationRow | undefined,
  others: readonly OverlaidMinimisation[],
): DataTable {
  const iterations = Math.max(report?.cost.length ?? 0, ...others.map((other) => other.report.cost.length));
  return {
    columns: [
      'iteration',
      'J',
      'Jb',
      'Jo',
      RESIDUAL,
      'Ritz value',
      ...others.flatMap(({ title }) => [`J, ${title}`, `${RESIDUAL}, ${title}`]),
    ],
    rows: Array.from({ length: iterations }, (_, k) => [
      k,
      report?.cost[k] ?? null,
      report?.backgroundCost[k] ?? null,
      report?.observationCost[k] ?? null,
      report?.residual[k] ?? null,
      report?.ritzValues[k] ?? null,
      ...others.flatMap((other) => [other.report.cost[k] ?? null, other.report.residual[k] ?? null]),
    ]),
  };
}

/** Both minimisations beside each other. */
export function insideTable({ preconditioned, plain }: MinimisationExplanation): DataTable {
  const courses = [
    { course: preconditioned, words: '' },
    { course: plain, words: ', without preconditioning' },
  ];
  const names = ['J', 'Jb', 'Jo', RESIDUAL, 'smallest Ritz value', 'largest Ritz value'];
  const columns = courses.flatMap(({ words }) => names.map((name) => `${name}${words}`));
  const iterations = Math.max(preconditioned.iterations, plain.iterations);
  return {
    columns: ['iteration', ...columns],
    rows: Array.from({ length: iterations + 1 }, (_, k) => [
      k,
      ...courses.flatMap(({ course }) => {
        const values = course.ritzValues[course.kept.indexOf(k)];
        const { cost, backgroundCost, observationCost, residual } = course;
        return [cost[k], backgroundCost[k], observationCost[k], residual[k], values?.[0], values?.at(-1)].map(
          (value) => value ?? null,
        );
      }),
    ]),
  };
}
