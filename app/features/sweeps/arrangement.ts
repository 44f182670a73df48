/**
 * The layout of combinations on the page: two axes span a grid, and each combination of the other axes has its own grid. Also the
 * styles of the methods.
 */
import { keyOfPlace, type Combination } from './cells.ts';
import { shortName, valueWithUnit, type SweepTable, type TableAxis } from '../reading/sweep-table.ts';
import { isRecord } from '../../../engine/index.ts';
import { methodStyles, type MethodStyle } from '../../document/views/method-style.ts';

/** Axes by number; undefined if there is none. */
export interface AxisChoice {
  readonly x: number | undefined;
  readonly y: number | undefined;
}

/** One grid of several. */
interface Facet {
  /** `Members 20, Length 3 m`; empty if there is only one. */
  readonly title: string;
  /** Numbers of combinations by y and x; undefined if nothing was tried. */
  readonly rows: readonly (readonly (number | undefined)[])[];
}

export interface Arrangement {
  readonly x: TableAxis | undefined;
  readonly y: TableAxis | undefined;
  /** In the order of the definition, the last axis fastest. */
  readonly facets: readonly Facet[];
}

/** @returns the axes with more than one value, by number: those that can span a grid */
export function variedAxes({ axes }: Pick<SweepTable, 'axes'>): number[] {
  return axes.flatMap(({ values }, axis) => (values.length > 1 ? [axis] : []));
}

/** @returns the first two axes that vary */
export function firstAxes(table: Pick<SweepTable, 'axes'>): AxisChoice {
  const [x, y] = variedAxes(table);
  return { x, y };
}

/** @returns a choice of which one axis was changed; where both would be the same, the other takes the place that became free */
export function chooseAxis(now: AxisChoice, which: 'x' | 'y', axis: number | undefined): AxisChoice {
  const other = which === 'x' ? 'y' : 'x';
  const freed = axis !== undefined && now[other] === axis ? { [other]: now[which] } : {};
  return { ...now, ...freed, [which]: axis };
}

/** @returns a combination's values on some axes, as `Inflation 1.1, Half-width 8 m` */
export function placeWords({ axes }: Pick<SweepTable, 'axes'>, at: readonly number[], some: readonly number[]): string {
  return some.map((axis) => `${shortName(axes, axis)} ${valueWithUnit(axes[axis], at[axis])}`).join(', ');
}

export function arrange(
  table: Pick<SweepTable, 'axes'>,
  combinations: readonly Combination[],
  { x, y }: AxisChoice,
): Arrangement {
  const others = variedAxes(table).filter((axis) => axis !== x && axis !== y);
  const [columns, rows] = [x, y].map((axis) => (axis === undefined ? 1 : table.axes[axis].values.length));
  const grids = new Map<string, { at: readonly number[]; cells: (number | undefined)[][] }>();
  combinations.forEach(({ at }, combination) => {
    const place = others.map((axis) => at[axis]);
    const key = keyOfPlace(place);
    const known = grids.get(key) ?? {
      at,
      cells: Array.from({ length: rows }, () => Array.from<undefined>({ length: columns })),
    };
    grids.set(key, known);
    known.cells[y === undefined ? 0 : at[y]][x === undefined ? 0 : at[x]] = combination;
  });
  const sorted = [...grids.values()].sort((a, b) => {
    const axis = others.find((other) => a.at[other] !== b.at[other]);
    return axis === undefined ? 0 : a.at[axis] - b.at[axis];
  });
  return {
    x: x === undefined ? undefined : table.axes[x],
    y: y === undefined ? undefined : table.axes[y],
    facets: sorted.map(({ at, cells }) => ({ title: placeWords(table, at, others), rows: cells })),
  };
}

/** Where a combination is: in which grid, in which row and column of it. */
export interface Spot {
  readonly facet: number;
  readonly row: number;
  readonly column: number;
}

/** @returns the spot of a combination */
export function spotOf({ facets }: Arrangement, combination: number): Spot | undefined {
  for (const [facet, { rows }] of facets.entries()) {
    for (const [row, cells] of rows.entries()) {
      const column = cells.indexOf(combination);
      if (column >= 0) return { facet, row, column };
    }
  }
  return undefined;
}

export function combinationAt({ facets }: Arrangement, { facet, row, column }: Spot): number | undefined {
  return facets[facet]?.rows[row]?.[column];
}

/** A step of a key: along x, along y (upwards, as values grow), or from grid to grid. */
export interface Step {
  readonly along: 'x' | 'y' | 'facet';
  readonly by: 1 | -1;
  /** As far as it goes. */
  readonly whole?: boolean;
}

/** @returns the nearest combination in that direction; what was not tried is passed over, and at the edge nothing moves */
export function stepFrom(arrangement: Arrangement, from: number, { along, by, whole = false }: Step): number {
  const start = spotOf(arrangement, from);
  if (!start) return from;
  const key = along === 'x' ? 'column' : along === 'y' ? 'row' : 'facet';
  const lengths = {
    facet: arrangement.facets.length,
    row: arrangement.facets[start.facet].rows.length,
    column: arrangement.facets[start.facet].rows[start.row].length,
  };
  let reached = from;
  for (let at = start[key] + by; at >= 0 && at < lengths[key]; at += by) {
    const found = combinationAt(arrangement, { ...start, [key]: at });
    if (found === undefined) continue;
    reached = found;
    if (!whole) break;
  }
  return reached;
}

interface DescribedMethod {
  readonly label: string;
  readonly kind: string;
}

/** The methods as the scenario's file has them, in its order: a label is the kind if there is none. */
function describedMethods({ scenario }: Pick<SweepTable, 'scenario'>): DescribedMethod[] {
  const entries: unknown = scenario['methods'];
  if (!Array.isArray(entries)) return [];
  return entries.filter(isRecord).map((entry) => {
    const kind = String(entry['kind']);
    return { kind, label: typeof entry['label'] === 'string' ? entry['label'] : kind };
  });
}

/**
 * @returns a style for each method of the sweep, in its order; of one that the scenario does not describe, that of an unknown kind
 */
export function sweepStyles(table: Pick<SweepTable, 'methods' | 'scenario'>): readonly MethodStyle[] {
  const described = describedMethods(table);
  const all = [
    ...described,
    ...table.methods
      .filter((label) => described.every((method) => method.label !== label))
      .map((label) => ({ label, kind: label })),
  ];
  const styles = methodStyles(all.map((method) => ({ ...method, members: 1 })));
  return table.methods.flatMap((label) => styles.find((style) => style.label === label) ?? []);
}

/** @returns by number the method whose settings were varied first; of a sweep that varies none of them, the last */
export function firstMethod(table: Pick<SweepTable, 'axes' | 'methods' | 'scenario'>): number {
  const described = describedMethods(table);
  for (const { path } of table.axes) {
    const index = Number(/^methods\[(\d+)\]/.exec(path)?.[1] ?? Number.NaN);
    const found = table.methods.findIndex((label) => label === described[index]?.label);
    if (found >= 0) return found;
  }
  return table.methods.length - 1;
}
