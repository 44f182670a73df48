/** How large the states of a run will be, stated before it starts. */
import { membersOf } from '../../methods/index.ts';
import { cyclesOf, observedVariables, situationOf } from '../../scenario/index.ts';
import type { Scenario } from '../../scenario/index.ts';
import type { RunRecord } from '../run-record.ts';
import { MOST_WAITING_BYTES } from './fields-file.ts';
import { layoutOf } from './snapshot-layout.ts';

export interface FieldsSize {
  /** Cycles whose states are kept. */
  readonly cycles: number;
  /** The most bytes of one of them in `fields.bin`. */
  readonly cycleBytes: number;
  /** Bytes of all of them. `fields.nc`, which is made of them, is compressed, and larger only by what it has beside the states. */
  readonly bytes: number;
  /** Memory that they take at most while the run continues: one that is taken, as it is and as bytes, and those that wait for the disk. */
  readonly memoryBytes: number;
}

/** Bytes of a record beside its arrays, about. */
const HEADER_BYTES = 1024;

/**
 * @param methods labels of those that run; all if omitted
 * @param from the first cycle that is run
 * @param end before which cycle it ends; the end of the scenario if omitted
 */
export function fieldsSize(
  scenario: Scenario,
  { every, members = [] }: NonNullable<RunRecord['fields']>,
  methods?: readonly string[],
  from = 0,
  end = cyclesOf(scenario),
): FieldsSize {
  const { grid, background } = scenario;
  const chosen = scenario.methods.filter(({ label }) => methods === undefined || methods.includes(label));
  const labels = chosen.map(({ label }) => label);
  const { bytes } = layoutOf({
    cycle: 0,
    timeSeconds: 0,
    cells: grid.nx * grid.ny,
    methods: chosen.map(({ kind, label }) => {
      const isEnsemble = membersOf(kind, background.members) > 1;
      const kept = isEnsemble ? [...members] : [];
      return { method: label, hasSpread: isEnsemble, hasForecastSpread: isEnsemble, members: kept };
    }),
    observations: {
      count: situationOf(scenario).observations,
      variables: [...observedVariables(scenario)],
      hasShare: true,
      innovations: labels,
      departures: labels,
      believed: labels,
    },
  });
  const cycleBytes = HEADER_BYTES + bytes;
  const cycles = Math.floor(end / every) - Math.floor(from / every);
  const all = cycles * cycleBytes;
  return {
    cycles,
    cycleBytes,
    bytes: all,
    memoryBytes: 2 * cycleBytes + Math.min(all, MOST_WAITING_BYTES + cycleBytes),
  };
}
