/** The verification at its full grids, as a table in Markdown. */
import type { Backend } from '../../engine/index.ts';
import { cases } from './shallow-water/cases.ts';
import { passes } from './shallow-water/measures.ts';
import { TABLE_HEADER, tableRow } from './shallow-water/table.ts';

/**
 * Runs every case at its full grids on a backend.
 *
 * @param report is given each line of the table as soon as it is known
 * @param only runs the cases whose name begins so ('V5 '); all when empty
 * @returns whether every bar was passed. A case that throws is a row that failed, with its message.
 */
export async function runFullVerification(
  backend: Backend,
  report: (line: string) => void,
  only: readonly string[] = [],
): Promise<boolean> {
  let passed = true;
  for (const line of TABLE_HEADER) report(line);
  for (const { name, full } of cases) {
    if (only.length > 0 && !only.some((start) => name.startsWith(start))) continue;
    try {
      for (const measurement of await full(backend)) {
        report(tableRow(name, measurement));
        passed &&= passes(measurement);
      }
    } catch (error) {
      report(`| ${name} | ${error instanceof Error ? error.message : String(error)} | – | – | FAIL |`);
      passed = false;
    }
  }
  return passed;
}
