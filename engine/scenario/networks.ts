/** What can be said of an observing network before the run: how many observations it makes, and what is wrong with it. */
import { networkDefinition, NETWORKS } from '../networks/index.ts';
import { describeValue, listWords, multipleOf, tidy, within, type Path, type Problem } from '../settings/index.ts';
import { nameKey, type Grid, type Network, type ObservationNetwork, type Scenario } from './schema.ts';

/** Places of a network whose errors are correlated, at most: the covariance between all of them is factored. */
const MOST_CORRELATED = 1024;

/** @returns how many places a network observes at a time, at most; undefined where a file says */
export function networkCapacity(network: Network, grid: Grid): number | undefined {
  return networkDefinition(network.kind).capacity(network, grid);
}

/** @returns shares of the window that have passed when a network observes, rising */
export function momentsOf({ timing }: Pick<ObservationNetwork, 'timing'>): readonly number[] {
  return timing?.moments ?? [1];
}

/** @returns how many times inside a window something is observed, at most */
export function innerMomentCount(networks: Scenario['observations']): number {
  const inner = networks.flatMap((network) =>
    momentsOf(network).flatMap((share) => (share < 1 ? [`${share} ${network.timing?.firstGuess}`] : [])),
  );
  return new Set(inner).size;
}

/** @returns how many observations a network has in one window, at most; undefined where a file says */
export function observationCapacity(observations: ObservationNetwork, grid: Grid): number | undefined {
  const each = networkCapacity(observations.network, grid);
  return each === undefined ? undefined : each * momentsOf(observations).length;
}

/** @returns what the names of each network's random streams begin with: names that occur twice are distinguished by their order */
export function streamNamesOf(networks: Scenario['observations']): readonly string[] {
  const occurrences = new Map<string, number>();
  return networks.map(({ name }) => {
    const occurrence = occurrences.get(name) ?? 0;
    occurrences.set(name, occurrence + 1);
    return `observations.${name}${occurrence === 0 ? '' : `.${occurrence}`}`;
  });
}

/**
 * What a network begins with when its kind is chosen: settings that suit the basin, where the schema's defaults alone do not do.
 *
 * @param scenario as it runs, with every default; undefined while there is none that is valid
 */
export function proposedNetwork(kind: string, scenario: Scenario | undefined): Readonly<Record<string, unknown>> {
  return { kind, ...(scenario && networkDefinition(kind).proposal?.(scenario)) };
}

/** @returns what is wrong with the observing networks */
export function observationProblems(scenario: Scenario): Problem[] {
  const problems: Problem[] = [];
  const names = new Map<string, number>();
  scenario.observations.forEach((observations, index) => {
    const path: Path = ['observations', index];
    const name = nameKey(observations.name);
    const first = names.get(name);
    if (first === undefined) names.set(name, index);
    else {
      const message = `found ${describeValue(observations.name)}, which is observations[${first}].name too; give each a name of its own`;
      problems.push({ path: [...path, 'name'], message });
    }
    const { network } = observations;
    const own = networkDefinition(network.kind).problems?.(network, scenario) ?? [];
    problems.push(...within([...path, 'network'], own));
    problems.push(...timeProblems(scenario, index));
    problems.push(...correlationProblems(scenario, index));
    const moments = momentsOf(observations);
    moments.forEach((share, i) => {
      if (i === 0 || share > moments[i - 1]) return;
      const message = `found ${share} after ${moments[i - 1]}, allowed: shares that rise`;
      problems.push({ path: [...path, 'timing', 'moments', i], message });
    });
  });
  return problems;
}

/** Correlated errors by distances, which places must keep, and be few enough for. */
function correlationProblems({ observations, grid }: Scenario, index: number): Problem[] {
  const { errorCorrelation, network } = observations[index];
  if (errorCorrelation === undefined) return [];
  const definition = networkDefinition(network.kind);
  const path: Path = ['observations', index, 'errorCorrelation'];
  if (definition.keepsDistances?.(network) !== true) {
    const keeping = listWords(NETWORKS.flatMap((each) => ('keepsDistances' in each ? [describeValue(each.kind)] : [])));
    const message = `the places of ${describeValue(network.kind)} do not keep their distances, by which errors are correlated; allowed: ${keeping}, with places that are not drawn again`;
    return [{ path, message }];
  }
  const places = networkCapacity(network, grid) ?? 0;
  if (places <= MOST_CORRELATED) return [];
  const message = `found ${places} places, allowed: ${MOST_CORRELATED} with correlated errors`;
  return [{ path, message }];
}

function timeProblems(scenario: Scenario, index: number): Problem[] {
  const { times, every } = scenario.observations[index];
  const { cycles, window } = scenario.experiment;
  const problems: Problem[] = [];
  times.forEach((time, i) => {
    const path = ['observations', index, 'times', i];
    if (time > cycles * window * (1 + 1e-9)) {
      problems.push({ path, message: `found ${time} s, allowed: at most the run's end, ${tidy(cycles * window)} s` });
    } else if (!multipleOf(time, window)) {
      problems.push({ path, message: `found ${time} s, allowed: multiples of experiment.window, ${window} s` });
    } else if (i > 0 && time <= times[i - 1]) {
      problems.push({ path, message: `found ${time} s after ${times[i - 1]} s, allowed: times that rise` });
    }
  });
  if (times.length > 0 && every !== 1) {
    problems.push({
      path: ['observations', index, 'every'],
      message: `found ${every} beside times; leave one of them out`,
    });
  }
  return problems;
}
