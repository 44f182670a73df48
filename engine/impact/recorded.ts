/** Impacts of every cycle of a run, where its experiment asks for them: of each method, and summed by network for its diagnostics. */
import { QuestionError } from '../errors.ts';
import type { CycleDiagnostics, Experiment, ImpactReport } from '../experiment/index.ts';
import { networkNames, recordedImpact, scenarioAt, type Scenario } from '../scenario/index.ts';
import { answersImpact } from '../methods/index.ts';
import { observationImpact, type ImpactSituation, type ObservationImpact } from './observation-impact.ts';

/**
 * Between two cycles.
 *
 * @returns the impacts of the latest cycle, by the labels of the methods that have them; without those of which a forecast diverges
 * @throws as `observationImpact` does for room and forecasts that were not kept
 */
export async function recordedImpacts(
  experiment: Experiment,
  situation: ImpactSituation,
): Promise<ReadonlyMap<string, ObservationImpact>> {
  const found = new Map<string, ObservationImpact>();
  const asked = recordedImpact(situation.scenario.experiment);
  const settings = scenarioAt(situation.scenario, experiment.nextCycle - 1).methods.filter(answersImpact);
  const answering = experiment.methods.filter(({ label }) => settings.some((each) => each.label === label));
  for (const { label } of asked ? answering : []) {
    if (!asked || experiment.diverged.has(label)) continue;
    try {
      const impact = await observationImpact(experiment, { method: label, ...asked }, situation);
      if (impact) found.set(label, impact);
    } catch (error) {
      if (!(error instanceof QuestionError)) throw error;
    }
  }
  return found;
}

/** @returns what diagnostics have of it, summed by the networks of a scenario */
function impactReport(
  { impacts, observations, error, errorBefore }: ObservationImpact,
  scenario: Scenario,
): ImpactReport {
  const count = networkNames(scenario).length;
  const [used, helped, impact] = Array.from({ length: 3 }, () => Array.from({ length: count }, () => 0));
  impacts.forEach((value, j) => {
    if (!observations.isUsed[j]) return;
    const network = observations.network[j];
    used[network] += 1;
    helped[network] += Number(value < 0);
    impact[network] += value;
  });
  return { error, errorBefore, networks: { used, helped, impact } };
}

/** @param found impacts of the row's cycle, by the labels of methods. @returns the row, with the impacts of its method if there are any */
export function withImpact(
  row: CycleDiagnostics,
  found: ReadonlyMap<string, ObservationImpact>,
  scenario: Scenario,
): CycleDiagnostics {
  const impact = found.get(row.method);
  return impact ? { ...row, impact: impactReport(impact, scenario) } : row;
}
