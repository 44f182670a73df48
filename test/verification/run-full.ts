/** The verification at its full size, as tables in Markdown: the shallow-water model, and the methods on Lorenz-96. */
import { median } from '../../engine/index.ts';
import type { Backend } from '../../engine/index.ts';
import { cases as benchmark } from './lorenz-96/cases.ts';
import * as lorenz96 from './lorenz-96/table.ts';
import { cases as shallowWaterCases } from './shallow-water/cases.ts';
import { passes } from '../../engine/check/measures.ts';
import * as shallowWater from './shallow-water/table.ts';

interface Row {
  readonly line: string;
  readonly passed: boolean;
}

interface Table {
  /** Header of five columns, the last of them the verdict. */
  readonly header: readonly string[];
  readonly cases: readonly { readonly name: string; readonly measure: (backend: Backend) => Promise<readonly Row[]> }[];
}

const tables: readonly Table[] = [
  {
    header: shallowWater.TABLE_HEADER,
    cases: shallowWaterCases.map(({ name, full }) => ({
      name,
      measure: async (backend) =>
        (await full(backend)).map((measurement) => ({
          line: shallowWater.tableRow(name, measurement),
          passed: passes(measurement),
        })),
    })),
  },
  {
    header: lorenz96.TABLE_HEADER,
    cases: benchmark.map((of) => ({
      name: of.name,
      async measure(backend) {
        const errors = await lorenz96.analysisErrors(backend, of, lorenz96.FULL);
        if (process.env['SHOAL_VERIFICATION_RECORD'] === 'yes') lorenz96.record(benchmark, of, errors);
        const passed = lorenz96.isWithin(lorenz96.BAR, of.published, median(errors));
        return [{ line: lorenz96.tableRow(of, errors), passed }];
      },
    })),
  },
];

/**
 * Runs every case at its full size on a backend.
 *
 * @param report is given each line of the tables as soon as it is known
 * @param only runs the cases whose name begins so ('V5 '); all when empty
 * @returns whether every bar was passed. A case that throws is a row that failed, with its message.
 */
export async function runFullVerification(
  backend: Backend,
  report: (line: string) => void,
  only: readonly string[] = [],
): Promise<boolean> {
  let passed = true;
  for (const { header, cases } of tables) {
    const wanted = cases.filter(({ name }) => only.length === 0 || only.some((start) => name.startsWith(start)));
    if (wanted.length === 0) continue;
    for (const line of ['', ...header]) report(line);
    for (const { name, measure } of wanted) {
      try {
        for (const row of await measure(backend)) {
          report(row.line);
          passed &&= row.passed;
        }
      } catch (error) {
        report(`| ${name} | ${error instanceof Error ? error.message : String(error)} | – | – | FAIL |`);
        passed = false;
      }
    }
  }
  return passed;
}
