/**
 * A scan behind a scenario's settings, as the table that the map draws. Of a scan the medians over its seeds were kept and nothing
 * of single seeds, so that nothing can be said of intervals, nor how many seeds diverged.
 */
import { parsePath, settingTitle, type ExpectedResults, type Scenario } from '../../../engine/index.ts';
import { emptyTable, OUTCOMES, ROW_STATES, type SweepTable } from '../reading/sweep-table.ts';

export type Scan = NonNullable<ExpectedResults['scans']>[number];

/** @returns how the settings of a scenario's methods were found */
export function scansOf({ expected }: Pick<Scenario, 'expected'>): readonly Scan[] {
  return expected?.scans ?? [];
}

/** What is judged, its direction, and what else the scan says of its choice. */
function judged(measure: string): { readonly title: string; readonly best: 'least' | 'most'; readonly remark: string } {
  const [title, ...more] = measure.split(/,\s*|;\s*/);
  const best = /\b(smallest|least|lowest) is best\b/.test(measure) ? 'least' : 'most';
  const remark = more.filter((part) => !part.endsWith(' is best')).join(', ');
  return { title: title.charAt(0).toUpperCase() + title.slice(1), best, remark };
}

/** @returns the path from the root of the scenario: a scan names settings of its method, and those of networks as they are */
function wholePath({ methods }: Pick<Scenario, 'methods'>, { method }: Scan, path: string): string {
  const index = methods.findIndex(({ label }) => label === method);
  return path.startsWith('observations') || index < 0 ? path : `methods[${index}].${path}`;
}

/**
 * @returns the last names of the settings, with those before a variable's: `halfWidth × inflation`, `length × standardDeviation.h`
 */
export function scanTitle({ parameters }: Scan): string {
  return Object.keys(parameters)
    .map((path) => /[^.]+(?:\.\w{1,2})?$/.exec(path)?.[0] ?? path)
    .join(' × ');
}

/** @returns the values of each parameter: those that the scan lists, and those that its table has beside them */
function triedValues({ parameters, table }: Scan): readonly (readonly number[])[] {
  return Object.values(parameters).map((listed, axis) => [
    ...new Set([...listed, ...table.map(({ values }) => values[axis])]),
  ]);
}

/** @param scenario with every default filled in, which is a scenario file as well */
export function tableOfScan(scenario: Scenario, scan: Scan): SweepTable {
  const { method, parameters, measure, seeds, table: tried, best: chosen } = scan;
  const values = triedValues(scan);
  const axes = Object.keys(parameters).map((inside, axis) => {
    const path = wholePath(scenario, scan, inside);
    return { path, title: settingTitle(scenario, parsePath(path) ?? []), values: values[axis] };
  });
  const { title, best, remark } = judged(measure);
  const isChosen = (values: readonly number[]): boolean => values.every((value, axis) => value === chosen[axis]);
  const taken = tried.findIndex(({ values }) => isChosen(values));
  const table = emptyTable(
    {
      name: `${scenario.name}-scan-${method}`,
      source: `${scenario.title || scenario.name}: scan of ${method}`,
      backend: '',
      remark: remark === '' ? '' : `${remark.charAt(0).toUpperCase()}${remark.slice(1)}.`,
      scenario,
      axes,
      methods: [method],
      measures: [{ name: 'measure', title, unit: '', best }],
      seeds,
      kind: 'medians',
      taken: taken < 0 ? undefined : taken,
    },
    tried.length,
  );
  table.states.fill(ROW_STATES.indexOf('complete'));
  for (const [row, { values: at, median }] of tried.entries()) {
    table.outcomes[row] = OUTCOMES.indexOf(median === null ? 'diverged' : 'complete');
    if (median !== null) table.values[row] = median;
    for (const [axis, value] of at.entries()) table.places[row * axes.length + axis] = values[axis].indexOf(value);
  }
  return table;
}
