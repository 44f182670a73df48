/** Runs of the list, as tests want them. */
import { formatScenario, isRecord } from '../../../../engine/index.ts';
import type { CycleDiagnostics, Scenario } from '../../../../engine/index.ts';
import { completedCycles } from '../../../../app/features/runs/kept-run.ts';
import type { KeptRun } from '../../../../app/features/runs/kept-run.ts';
import { diagnosticsOf, infoOf, scenarioOf } from '../../document/run/fake-run.ts';

/** Rows of a method with an error of its own, which goes up and down a little from cycle to cycle. */
export function rowsOf(method: string, cycles: number, error = 0.5): readonly CycleDiagnostics[] {
  return Array.from({ length: cycles }, (_, cycle) => ({
    ...diagnosticsOf(method, cycle),
    rmse: {
      forecast: { h: 2 * error },
      analysis: { h: error * (1 + 0.1 * Math.sin(7 * cycle) + 0.05 * Math.cos(3 * cycle)) },
    },
  }));
}

function rawOf(scenario: Scenario): Readonly<Record<string, unknown>> {
  const raw: unknown = JSON.parse(formatScenario({ ...scenario }));
  if (!isRecord(raw)) throw new Error('a scenario is an object');
  return raw;
}

/** A run of free run and LETKF over twenty cycles, unless something else is said. */
export function keptRun(number: number, more: Partial<KeptRun> = {}): KeptRun {
  const scenario = more.scenario ?? scenarioOf(20);
  const rows =
    more.rows ??
    new Map([
      ['free-run', rowsOf('free-run', 20, 2)],
      ['letkf', rowsOf('letkf', 20)],
    ]);
  const { methods } = infoOf(scenario);
  return {
    id: `run-${number}`,
    number,
    name: '',
    note: '',
    scenario,
    raw: rawOf(scenario),
    files: {},
    command: { line: `shoal run ${number}`, needs: undefined },
    methods,
    backend: { name: 'wasm', adapter: 'test' },
    versions: { shoal: '1.0.0' },
    rows,
    diverged: [],
    cycles: 20,
    completed: completedCycles(rows),
    stride: 1,
    start: '2026-01-01T00:00:00.000Z',
    end: '2026-01-01T00:01:00.000Z',
    ...more,
  };
}
