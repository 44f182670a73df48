/** The states of a few of a run's cycles, from the fields that its folder keeps. */
import { openFields } from '../../../engine/index.ts';
import type { FieldsReader, OpenHdf5, RunRecord, Storage } from '../../../engine/index.ts';
import type { CycleState, MethodState, StoredStates } from './states.ts';

/** Cycles that are shown beside each other. */
const SHOWN = 4;

/** @returns as many of the cycles as are shown, evenly, the first and the last among them */
export function chosenCycles(cycles: readonly number[], most = SHOWN): readonly number[] {
  if (cycles.length <= most) return cycles;
  return Array.from({ length: most }, (_, n) => cycles[Math.round((n * (cycles.length - 1)) / (most - 1))]);
}

async function methodState(fields: FieldsReader, cycle: number, label: string): Promise<MethodState | undefined> {
  const plane = (when: 'forecast' | 'analysis' | 'analysis-spread'): Promise<Float32Array | undefined> =>
    fields.readPlane({ cycle, of: label, variable: 'eta', when });
  const analysis = await plane('analysis');
  if (!analysis) return undefined;
  return { label, forecast: await plane('forecast'), analysis, spread: await plane('analysis-spread') };
}

async function stateAt(fields: FieldsReader, methods: readonly string[], cycle: number): Promise<CycleState[]> {
  const truth = await fields.readPlane({ cycle, of: 'truth', variable: 'eta' });
  if (!truth) return [];
  const found: MethodState[] = [];
  for (const label of methods) {
    const state = await methodState(fields, cycle, label);
    if (state) found.push(state);
  }
  const { x, y } = await fields.observationsAt(cycle);
  return [{ cycle, truth, methods: found, observed: { x, y } }];
}

/** @returns undefined of a folder that keeps none. @throws ScenarioError, CaseError where the file of the fields is broken */
export async function storedStates(
  storage: Storage,
  record: RunRecord,
  openHdf5: OpenHdf5,
): Promise<StoredStates | undefined> {
  const fields = await openFields(storage, openHdf5);
  if (!fields) return undefined;
  try {
    const states: CycleState[] = [];
    for (const cycle of chosenCycles(fields.cycles.filter((each) => each >= 0))) {
      states.push(
        ...(await stateAt(
          fields,
          record.methods.map(({ label }) => label).filter((label) => fields.methods.includes(label)),
          cycle,
        )),
      );
    }
    return states.length > 0 ? { origin: 'fields', states } : undefined;
  } finally {
    fields.dispose();
  }
}
