/**
 * The scan that finds a method's best setting: every combination of a few values, over seeds that are not those of the
 * expected results, so that the setting is not fitted to what it is judged by.
 */
import { setPath } from '../../engine/index.ts';
import type { Pool } from './pool.ts';
import { median, rounded, skillOf } from './numbers.ts';
import { comparedIn } from './job.ts';

/** The seeds of scans. */
export const SCAN_SEEDS: readonly number[] = [101, 102, 103, 104];

/** What the combinations are judged by. */
const MEASURE = 'skill of the analysis against the free run, largest is best';

export interface Scan {
  readonly method: string;
  /** Paths inside the method, or from `observations` on, and the values that were tried. */
  readonly parameters: Readonly<Record<string, readonly number[]>>;
}

export interface ScanRecord extends Scan {
  readonly measure: string;
  readonly seeds: readonly number[];
  /** Values in the order of the parameters, and the median skill over the seeds; null where a run diverged. */
  readonly table: readonly { readonly values: readonly number[]; readonly median: number | null }[];
  readonly best: readonly number[];
}

/** Every combination, the last parameter running fastest. */
export function combinations(lists: readonly (readonly number[])[]): number[][] {
  const [first, ...rest] = lists;
  return first === undefined ? [[]] : first.flatMap((value) => combinations(rest).map((others) => [value, ...others]));
}

interface RawScenario {
  readonly methods: readonly { readonly kind: string; readonly label?: string }[];
}

function labelOf({ kind, label }: RawScenario['methods'][number]): string {
  return label ?? kind;
}

/** @returns the scenario with a method's values set */
export function withValues(raw: unknown, { method, parameters }: Scan, values: readonly number[]): unknown {
  const index = (raw as RawScenario).methods.findIndex((entry) => labelOf(entry) === method);
  if (index < 0) throw new RangeError(`a scan is of ${method}, which the scenario has not`);
  return Object.keys(parameters).reduce<unknown>((changed, path, position) => {
    const whole = path.startsWith('observations') ? path : `methods[${index}].${path}`;
    return setPath(changed, whole, values[position], 'scan');
  }, raw);
}

/** Tries every combination. @param freeRun label of the scenario's free run */
export async function runScan(
  pool: Pool,
  raw: unknown,
  scan: Scan,
  freeRun: string,
  seeds = SCAN_SEEDS,
): Promise<ScanRecord> {
  const compared = comparedIn(raw);
  const free = Promise.all(seeds.map((seed) => pool.run({ raw, seed, methods: [freeRun] })));
  const tried = combinations(Object.values(scan.parameters)).map(async (values) => {
    const changed = withValues(raw, scan, values);
    const runs = await Promise.all(seeds.map((seed) => pool.run({ raw: changed, seed, methods: [scan.method] })));
    const references = await free;
    const skills = runs.map((run, i) => skillOf(run[scan.method], references[i][freeRun], compared));
    const skill = skills.every(Number.isFinite) ? rounded(median(skills)) : null;
    return { values, median: skill };
  });
  const table = await Promise.all(tried);
  const best = table.reduce((a, b) => ((b.median ?? -Infinity) > (a.median ?? -Infinity) ? b : a));
  const { method, parameters } = scan;
  return { method, parameters, measure: MEASURE, seeds, table, best: best.values };
}

/** @returns the parameters whose best value lies at the edge of what was tried */
export function edgesOf({ parameters, best }: ScanRecord): string[] {
  return Object.entries(parameters).flatMap(([path, values], position) => {
    const isEdge = values.length > 1 && [Math.min(...values), Math.max(...values)].includes(best[position]);
    return isEdge ? [`${path} = ${best[position]}`] : [];
  });
}
