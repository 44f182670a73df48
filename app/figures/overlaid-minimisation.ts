/** Minimisations of overlaid runs beside that of the run on screen: of the same method, in the same cycle or the last before it. */
import type { CycleDiagnostics } from '../../engine/index.ts';
import { formatNumber } from '../format/numbers.ts';
import type { OverlaidRun } from '../document/lines/overlaid.ts';
import type { PlotSeries } from '../plot/layout.ts';
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
