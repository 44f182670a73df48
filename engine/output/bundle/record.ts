/** `bundle.json`: what was run, where and by which versions, which files are beside it, and the means of the numbers that are expected. */
import type { BackendName } from '../../compute/backend.ts';
import type { RunIdentity, Versions } from '../run-record.ts';
import {
  list,
  object,
  oneOf,
  optional,
  parseStored,
  positive,
  problemsWith,
  text,
  wholeFrom,
} from '../stored-files.ts';
import type { Rule, Rules, Extent } from '../stored-files.ts';
import { LARGEST_TOLERANCE, firstCycle, meanOf, methodsIn, valuesOf, type Rows, type Cycles } from './statistics.ts';
import { describeValue, type Problem } from '../../settings/index.ts';

/**
 * The means that `bundle.json` states, for people who read it. They follow from `expected.csv`, and a bundle that states others is
 * refused; a run is held to the rows themselves (statistics.ts).
 *
 * The mean of a column of a method over cycles.
 */
export interface StatedMean {
  readonly method: string;
  /** As `expected.csv` has it: `rmse_analysis_h`. */
  readonly column: string;
  /** The first cycle, and the one after the last. */
  readonly from: number;
  readonly to: number;
  readonly mean: number;
}

const STATED = /^(?:rmse_forecast|rmse_analysis|spread_analysis)_/;
/** What summing in another order may change. */
const ROUNDING = 1e-12;

/** @returns of each method and column the means of the first cycle and of those after the spin-up, if they are above 0 */
export function statedMeans(rows: Rows, terms: Cycles): StatedMean[] {
  const { cycles } = terms;
  const stretches = [[0, 1], ...(cycles > 1 ? [[firstCycle(terms), cycles]] : [])];
  return methodsIn(rows).flatMap((method) =>
    rows.columns
      .filter((column) => STATED.test(column))
      .flatMap((column) =>
        stretches.flatMap(([from, to]): StatedMean[] => {
          const series = valuesOf(rows, method, column, from, to).filter(Number.isFinite);
          const mean = series.length === 0 ? 0 : meanOf(series);
          // A single state has no spread.
          return mean > 0 ? [{ method, column, from, to, mean }] : [];
        }),
      ),
  );
}

/** @returns what is wrong with means that a bundle states beside those rows */
export function statedMeansProblems(stated: readonly StatedMean[], rows: Rows, terms: Cycles): Problem[] {
  const computed = statedMeans(rows, terms);
  if (stated.length !== computed.length) {
    const message = `found ${stated.length} means, expected.csv has ${computed.length}`;
    return [{ path: ['statistics'], message }];
  }
  return computed.flatMap(({ mean, ...of }, index): Problem[] => {
    const path = ['statistics', index];
    const other = Object.entries(of).find(([key, value]) => stated[index][key as keyof StatedMean] !== value);
    if (other) {
      const [key, value] = other;
      const found = describeValue(stated[index][key as keyof StatedMean]);
      return [{ path: [...path, key], message: `found ${found}, by expected.csv it is ${describeValue(value)}` }];
    }
    if (Math.abs(stated[index].mean - mean) <= ROUNDING * mean) return [];
    return [{ path: [...path, 'mean'], message: `found ${stated[index].mean}, the mean in expected.csv is ${mean}` }];
  });
}

export const RECORD_FILE = 'bundle.json';

export interface BundleRecord extends Omit<RunIdentity, 'scenario'> {
  readonly format: 1;
  readonly versions: Versions;
  /** When the run began, ISO 8601. */
  readonly date: string;
  readonly variables: readonly string[];
  /** Cycles that every method has completed: those that are expected. */
  readonly completedCycles: number;
  /** Files beside this one, by path. */
  readonly files: Readonly<Record<string, Extent>>;
  /** As the rows have them. */
  readonly statistics: readonly StatedMean[];
}

const RECORD_RULES: Rules = {
  format: oneOf([1]),
  seed: wholeFrom(0),
  selected: optional(list),
  backend: object,
  versions: object,
  date: text,
  variables: list,
  completedCycles: wholeFrom(1),
  files: object,
  statistics: list,
};
const BACKENDS: readonly BackendName[] = ['reference', 'wasm', 'webgpu'];
const BACKEND_RULES: Rules = { name: oneOf(BACKENDS), adapter: text };
const EXTENT_RULES: Rules = { bytes: wholeFrom(0), sha256: text };
const tolerance: Rule = {
  allowed: `a number above 0, at most ${LARGEST_TOLERANCE}: with a wider one a comparison says nothing`,
  holds: (value) => positive.holds(value) && Number(value) <= LARGEST_TOLERANCE,
};
const STATISTIC_RULES: Rules = {
  method: text,
  column: text,
  from: wholeFrom(0),
  to: wholeFrom(1),
  mean: positive,
  // An earlier version stated tolerances, too; they are computed where the run is made again.
  tolerance: optional(tolerance),
  toleranceOfDraws: optional(tolerance),
};

/** @throws ScenarioError naming file, place, what was found and what is allowed */
export function parseBundleRecord(bytes: Uint8Array, file: string): BundleRecord {
  const written = new TextDecoder().decode(bytes);
  return parseStored(written, file, (value) => {
    const problems = problemsWith(value, RECORD_RULES);
    if (problems.length > 0) return problems;
    const { backend, files, statistics, versions, variables, selected } = value as BundleRecord;
    const texts = { versions: Object.values(versions), variables, selected: selected ?? [] };
    return [
      ...(selected?.length === 0 ? [{ path: ['selected'], message: 'found no method, allowed: one at least' }] : []),
      ...problemsWith(backend, BACKEND_RULES, ['backend']),
      ...Object.entries(files).flatMap(([name, extent]) => problemsWith(extent, EXTENT_RULES, ['files', name])),
      ...statistics.flatMap((statistic, index) => problemsWith(statistic, STATISTIC_RULES, ['statistics', index])),
      ...Object.entries(texts)
        .filter(([, values]) => !values.every(text.holds))
        .map(([key]) => ({ path: [key], message: 'found something that is not text, allowed: texts' })),
    ];
  }) as BundleRecord;
}
