/**
 * What becomes of a twin experiment in the long run: errors of every variable beside the free run's, and the energy beside the
 * truth's, as means over the last quarter of many cycles.
 */
import { createExperiment, NO_FILES } from '../../../engine/index.ts';
import type { Backend, CycleDiagnostics, Scenario } from '../../../engine/index.ts';

export interface LongRunMethod {
  readonly method: string;
  /** Whether the method uses observations. */
  readonly assimilates: boolean;
  /** The cycle in which it diverged. */
  readonly divergedAt: number | undefined;
  /** RMSE of the analysis by variable, in the variable's unit. */
  readonly rmse: Readonly<Record<string, number>>;
  /** The energy of the analysis (the mean of an ensemble) over the truth's; undefined for a model without water. */
  readonly energy: number | undefined;
}

/** Share of the cycles, at the end, that the means are over. */
export const LAST_SHARE = 0.25;

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function resultOf(method: string, kind: string, rows: readonly CycleDiagnostics[]): Omit<LongRunMethod, 'divergedAt'> {
  const variables = Object.keys(rows[0]?.rmse.analysis ?? {});
  const budgets = rows.flatMap(({ consistency }) => consistency?.budgets ?? []);
  return {
    method,
    assimilates: kind !== 'free-run',
    rmse: Object.fromEntries(variables.map((name) => [name, meanOf(rows.map(({ rmse }) => rmse.analysis[name]))])),
    energy:
      budgets.length === 0
        ? undefined
        : meanOf(budgets.map(({ analysis }) => analysis.energy)) / meanOf(budgets.map(({ truth }) => truth.energy)),
  };
}

/** Runs a scenario for as many cycles. @returns what became of each method */
export async function longRun(
  backend: Backend,
  scenario: Scenario,
  listener: (row: CycleDiagnostics) => void = () => undefined,
): Promise<readonly LongRunMethod[]> {
  const { cycles } = scenario.experiment;
  const kept: CycleDiagnostics[] = [];
  const experiment = await createExperiment(backend, scenario, {
    files: NO_FILES,
    listener(event) {
      if (event.type !== 'diagnostics') return;
      listener(event.diagnostics);
      if (event.diagnostics.cycle >= cycles * (1 - LAST_SHARE)) kept.push(event.diagnostics);
    },
  });
  try {
    while (experiment.nextCycle < cycles && experiment.diverged.size < scenario.methods.length) await experiment.step();
    return scenario.methods.map(({ label, kind }) => ({
      ...resultOf(
        label,
        kind,
        kept.filter(({ method }) => method === label),
      ),
      divergedAt: experiment.diverged.get(label),
    }));
  } finally {
    experiment.dispose();
  }
}
