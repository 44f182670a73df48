/**
 * The impacts of every cycle, where the experiment of a run asks for them: what a cycle says waits until they are known, so that
 * its diagnostics have them, and the states that are stored of it as well.
 */
import type { ExperimentEvent } from '../experiment/index.ts';
import { withImpact, type ObservationImpact } from '../impact/index.ts';
import type { Scenario } from '../scenario/index.ts';
import type { Snapshot } from './states.ts';

type Impacts = ReadonlyMap<string, ObservationImpact>;

/** @param emit takes what a cycle says */
export function createImpactRecording(emit: (event: ExperimentEvent) => void) {
  let waiting: ExperimentEvent[] | undefined;
  /** Those of the latest cycle, by the labels of methods. */
  let impacts: Impacts = new Map();
  return {
    receive(event: ExperimentEvent): void {
      if (waiting) waiting.push(event);
      else emit(event);
    },
    /**
     * @param cycle runs a cycle until it is reported
     * @param ask gives the impacts of its observations
     * @returns what `cycle` does
     */
    async record<Ran>(scenario: Scenario, cycle: () => Promise<Ran>, ask: () => Promise<Impacts>): Promise<Ran> {
      const held: ExperimentEvent[] = [];
      waiting = held;
      impacts = new Map();
      try {
        const ran = await cycle();
        impacts = await ask();
        return ran;
      } finally {
        waiting = undefined;
        for (const event of held) {
          if (event.type !== 'diagnostics') emit(event);
          else emit({ ...event, diagnostics: withImpact(event.diagnostics, impacts, scenario) });
        }
      }
    },
    /** @returns a snapshot of the latest cycle with its impacts: copies, since it may be transferred */
    inStates(snapshot: Snapshot): Snapshot {
      if (impacts.size === 0) return snapshot;
      const byMethod = Object.fromEntries([...impacts].map(([label, each]) => [label, each.impacts.slice()]));
      return { ...snapshot, observations: { ...snapshot.observations, impacts: byMethod } };
    },
  };
}
