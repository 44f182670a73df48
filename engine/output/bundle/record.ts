/** `bundle.json`: what was run, where and by which versions, which files are beside it, and the means of the numbers that are expected. */
import type { BackendName } from '../../compute/backend.ts';
import type { Extent } from '../checksum.ts';
import type { RunIdentity, Versions } from '../run-record.ts';
import { list, object, oneOf, optional, parseStored, positive, problemsWith, text, wholeFrom } from '../stored-json.ts';
import type { Rule, Rules } from '../stored-json.ts';
import type { StatedMean } from './stated-means.ts';
import { LARGEST_TOLERANCE } from './statistics.ts';

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
