/** The results of a sweep, which `shoal sweep` leaves in its folder, as the table that the map draws. */
import { describeValue, ScenarioError } from '../../../engine/index.ts';
import type { SweepResults } from '../../../engine/index.ts';
import { emptyTable, OUTCOMES, ROW_STATES } from './sweep-table.ts';
import type { SweepTable } from './sweep-table.ts';

/** That a table has room for: 512 MiB of them. A file may ask for as many by cases that are not run yet, which say nothing. */
const MOST_NUMBERS = 2 ** 26;

/** Words of the backend, as on the page: `wasm, WebAssembly SIMD`. */
function backendWords({ name, adapter }: SweepResults['backend']): string {
  return adapter === '' ? name : `${name}, ${adapter}`;
}

/** @returns the number of each value of an axis, by the value's JSON */
function numbered(values: readonly unknown[]): ReadonlyMap<string, number> {
  return new Map(values.map((value, number) => [JSON.stringify(value), number]));
}

/**
 * @param file that they were read from, for messages
 * @throws ScenarioError where a case has values that its sweep does not have
 */
export function tableOfResults(results: SweepResults, file: string): SweepTable {
  const { name, scenario, axes, seeds, methods, measures, cases, backend } = results;
  const reasons = new Map(
    cases.flatMap(({ reason }, row): [number, string][] => (reason === null ? [] : [[row, reason]])),
  );
  const numbers = cases.length * methods.length * measures.length;
  if (numbers > MOST_NUMBERS) {
    const message = `found ${cases.length} cases of ${methods.length} methods with ${measures.length} measures, allowed: ${MOST_NUMBERS} numbers in all`;
    throw new ScenarioError([{ file, path: [], message }]);
  }
  const head = { name, source: file, backend: backendWords(backend), remark: '', taken: undefined };
  const table = emptyTable({ ...head, scenario, axes, methods, measures, seeds, kind: 'runs' }, cases.length, reasons);
  const places = axes.map(({ values }) => numbered(values));
  const rows = cases.length;
  for (const [row, { values, seed, state, methods: outcomes }] of cases.entries()) {
    table.rowSeeds[row] = seed;
    table.states[row] = ROW_STATES.indexOf(state);
    for (const [axis, value] of values.entries()) {
      const number = places[axis].get(JSON.stringify(value));
      if (number === undefined) {
        const message = `found ${describeValue(value)}, which is not among axes[${axis}].values`;
        throw new ScenarioError([{ file, path: ['cases', row, 'values', axis], message }]);
      }
      table.places[row * axes.length + axis] = number;
    }
    for (const { method, state: outcome, divergedAt, values: measured } of outcomes) {
      const at = methods.indexOf(method);
      table.outcomes[at * rows + row] = OUTCOMES.indexOf(outcome);
      if (divergedAt !== null) table.divergedAt[at * rows + row] = divergedAt;
      for (const [measure, value] of measured.entries()) {
        if (value !== null) table.values[(measure * methods.length + at) * rows + row] = value;
      }
    }
  }
  return table;
}
