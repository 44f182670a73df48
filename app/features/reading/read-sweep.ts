/** The results of a sweep, `sweep.json` of its folder, which anybody may have written: read, checked, and laid out by columns. */
import { readSweepResults, ScenarioError } from '../../../engine/index.ts';
import { tableOfResults } from './sweep-results.ts';
import type { SweepTable } from './sweep-table.ts';

/** The largest file that the page reads: 64 MiB, in which a hundred thousand cases have room. */
export const MOST_SWEEP_BYTES = 64 * 2 ** 20;

/** @throws ScenarioError that names the file, the place in it, what was found and what is allowed */
export function readSweep({ name, bytes }: { readonly name: string; readonly bytes: Uint8Array }): SweepTable {
  if (bytes.byteLength > MOST_SWEEP_BYTES) {
    const message = `found more than ${MOST_SWEEP_BYTES} bytes, allowed: ${MOST_SWEEP_BYTES} (64 MiB)`;
    throw new ScenarioError([{ file: name, path: [], message }]);
  }
  return tableOfResults(readSweepResults(bytes, name), name);
}
