/** One run of a scenario for its numbers alone: what is asked of a worker, and what comes back. */
import {
  AllDivergedError,
  comparedVariables,
  createExperiment,
  createReferenceBackend,
  DivergenceError,
  NO_FILES,
  summariseRun,
  summaryTerms,
  validateScenario,
} from '../../engine/index.ts';
import type { CycleDiagnostics, MethodResult, MethodSummary } from '../../engine/index.ts';

export interface Job {
  /** The scenario as its file has it, with what a scan changes. */
  readonly raw: unknown;
  readonly seed: number;
  /** Labels of the methods to run. */
  readonly methods: readonly string[];
}

/** By label; null for a method that diverged. */
export type JobResult = Readonly<Record<string, MethodNumbers | null>>;

export interface MethodNumbers {
  /** Means over the cycles after the spin-up, by variable. */
  readonly rmse: MethodResult['rmse'];
  readonly spread: MethodResult['spread'];
}

/** Runs the job on the reference backend. @throws ScenarioError, LimitError; a divergence is a result */
export async function runJob({ raw, seed, methods }: Job): Promise<JobResult> {
  const { scenario } = validateScenario({ ...(raw as object), seed }, 'scenario');
  const backend = createReferenceBackend();
  const rows: CycleDiagnostics[] = [];
  let summaries: readonly MethodSummary[] = [];
  try {
    const experiment = await createExperiment(backend, scenario, {
      files: NO_FILES,
      methods,
      listener: (event) => {
        if (event.type === 'diagnostics') rows.push(event.diagnostics);
        if (event.type === 'start') summaries = event.methods;
      },
    });
    try {
      while (experiment.nextCycle < experiment.cycles) await experiment.step();
    } finally {
      experiment.dispose();
    }
  } catch (error) {
    if (!(error instanceof DivergenceError || error instanceof AllDivergedError)) throw error;
  } finally {
    backend.dispose();
  }
  const { cycles } = scenario.experiment;
  const results = summariseRun(summaries, rows, summaryTerms(scenario));
  return Object.fromEntries(
    methods.map((label) => {
      const found = results.find(({ method }) => method === label);
      return [label, found?.cycles === cycles ? { rmse: found.rmse, spread: found.spread } : null];
    }),
  );
}

/** The state variables by which a scenario's methods are compared. */
export function comparedIn(raw: unknown): readonly string[] {
  return comparedVariables(validateScenario(raw, 'scenario').scenario);
}
