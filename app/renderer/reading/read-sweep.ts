/** The results of a sweep, `sweep.json` of its folder, which anybody may have written: read, checked, and laid out by columns. */
import { formatPath, ScenarioError, sweepResultsSchema } from '../../../engine/index.ts';
import type { SweepResults } from '../../../engine/index.ts';
import { tableOfResults } from '../sweeps/results-table.ts';
import type { SweepTable } from '../sweeps/table.ts';

/** The largest file that is read. */
export const MOST_SWEEP_BYTES = 64 * 2 ** 20;

function readSweepResults(bytes: Uint8Array, file: string): SweepResults {
  const refuse = (message: string): never => {
    throw new ScenarioError([{ file, path: [], message }]);
  };
  if (bytes.byteLength > MOST_SWEEP_BYTES) refuse(`found ${bytes.byteLength} bytes, allowed are ${MOST_SWEEP_BYTES}`);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    return refuse(`no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const { data, error } = sweepResultsSchema.safeParse(value);
  if (data) return data;
  const [{ path, message }] = error.issues;
  return refuse(
    `no results of shoal sweep: ${formatPath(path.map((key) => (typeof key === 'symbol' ? String(key) : key)))}: ${message}`,
  );
}

/** @throws ScenarioError that names the file, the place in it, what was found and what is allowed */
export function readSweep({ name, bytes }: { readonly name: string; readonly bytes: Uint8Array }): SweepTable {
  return tableOfResults(readSweepResults(bytes, name), name);
}
