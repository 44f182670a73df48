/** Runs a scenario's twin experiment in a test and gathers what it says. */
import { readFileSync } from 'node:fs';
import { createExperiment, NO_FILES, parseScenario } from '../../engine/index.ts';
import type { Backend, CycleDiagnostics, ExperimentEvent, MethodSummary, Scenario } from '../../engine/index.ts';

/** @returns a shipped scenario, by its name */
export function shippedScenario(name: string): Scenario {
  return readScenario(new URL(`../../scenarios/${name}.json`, import.meta.url));
}

/** @returns the scenario in a file */
export function readScenario(file: URL): Scenario {
  return parseScenario(readFileSync(file, 'utf8'), file.pathname).scenario;
}

interface MethodMeans {
  readonly forecast: number;
  readonly analysis: number;
  readonly spread: number;
}

export interface ScenarioRun {
  readonly events: readonly ExperimentEvent[];
  readonly methods: readonly MethodSummary[];
  readonly diagnostics: readonly CycleDiagnostics[];
  /** Means of the RMSE of h (m), and of its analysis spread, by method, over the cycles after the spin-up. */
  readonly means: Readonly<Record<string, MethodMeans>>;
}

/** @param methods labels of the methods to run, all if omitted */
export async function runScenario(
  backend: Backend,
  scenario: Scenario,
  methods?: readonly string[],
): Promise<ScenarioRun> {
  const events: ExperimentEvent[] = [];
  const experiment = await createExperiment(backend, scenario, {
    files: NO_FILES,
    listener: (event) => events.push(event),
    ...(methods && { methods }),
  });
  try {
    while (experiment.nextCycle < experiment.cycles) await experiment.step();
  } finally {
    experiment.dispose();
  }
  const diagnostics = events.flatMap((event) => (event.type === 'diagnostics' ? [event.diagnostics] : []));
  const summaries = events.flatMap((event) => (event.type === 'start' ? event.methods : []));
  return { events, methods: summaries, diagnostics, means: meansOf(diagnostics, scenario.experiment.spinup) };
}

function meansOf(diagnostics: readonly CycleDiagnostics[], spinup: number): Record<string, MethodMeans> {
  const kept = diagnostics.filter(({ cycle }) => cycle >= spinup);
  const labels = [...new Set(kept.map(({ method }) => method))];
  return Object.fromEntries(
    labels.map((label) => {
      const own = kept.filter(({ method }) => method === label);
      const mean = (value: (cycle: CycleDiagnostics) => number): number =>
        own.reduce((sum, cycle) => sum + value(cycle), 0) / own.length;
      const forecast = mean(({ rmse }) => rmse.forecast['h']);
      const analysis = mean(({ rmse }) => rmse.analysis['h']);
      return [label, { forecast, analysis, spread: mean(({ spread }) => spread.analysis['h']) }];
    }),
  );
}
