/**
 * Which gauges stand still in the water when the next cycle comes: those of the scenario's networks as they were seen last, and
 * those that were painted, as the interventions since have left them.
 */
import type { Intervention, Scenario } from '../../../engine/index.ts';
import type { Snapshot } from '../session/session.ts';
import type { Gauge, GaugesChange, ObservedVariable } from './changes.ts';

/** Networks whose gauges stay where they are. */
const STILL: ReadonlySet<string> = new Set(['regular', 'random', 'points']);

/** A gauge, and since when it stands there. */
export interface StandingGauge extends Gauge {
  /** The cycle that it was painted for; undefined for one of the scenario's networks. */
  readonly since: number | undefined;
}

function keyOf(x: number, y: number): string {
  return `${x} ${y}`;
}

/** @returns the gauges of one network of the scenario in a snapshot */
function ofNetwork({ observations }: Snapshot, network: number, { observations: networks }: Scenario): StandingGauge[] {
  const { errorStandardDeviation } = networks[network];
  const found: StandingGauge[] = [];
  for (const [k, of] of observations.network.entries()) {
    if (of !== network) continue;
    found.push({
      x: observations.x[k],
      y: observations.y[k],
      variable: observations.variable[k] as ObservedVariable,
      errorStandardDeviation,
      since: undefined,
    });
  }
  return found;
}

/** @returns the gauges that are left of some after an intervention */
function changedBy(gauges: readonly StandingGauge[], change: GaugesChange, isPainted: boolean): StandingGauge[] {
  const removed = new Set(change.remove.map(([x, y]) => keyOf(x, y)));
  const left = gauges.filter(({ x, y }) => !removed.has(keyOf(x, y)));
  if (!isPainted) return left;
  const { variable, errorStandardDeviation, cycle } = change;
  return [...left, ...change.add.map(([x, y]) => ({ x, y, variable, errorStandardDeviation, since: cycle }))];
}

/**
 * @param scenario whose settings are those of now
 * @param snapshots stored, by ascending cycle: a network that did not observe yet is not known
 * @param interventions of the run, by ascending cycle
 * @param cycle that comes next
 * @returns the gauges that its analysis has, of the scenario's networks first
 */
export function standingGauges(
  scenario: Scenario,
  snapshots: readonly Snapshot[],
  interventions: readonly Intervention[],
  cycle: number,
): readonly StandingGauge[] {
  const changes = interventions.filter((each) => each.kind === 'gauges').filter((each) => each.cycle <= cycle);
  const still = scenario.observations.flatMap(({ network }, index) => {
    if (!STILL.has(network.kind)) return [];
    const latest = snapshots.findLast(({ observations }) => observations.network.includes(index));
    if (!latest) return [];
    return changes
      .filter((change) => change.cycle > latest.cycle)
      .reduce((gauges, change) => changedBy(gauges, change, false), ofNetwork(latest, index, scenario));
  });
  const painted = changes.reduce<StandingGauge[]>((gauges, change) => changedBy(gauges, change, true), []);
  return [...still, ...painted];
}
