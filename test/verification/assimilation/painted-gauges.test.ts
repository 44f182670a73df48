/**
 * Gauges that are painted while a run continues are observations like any other: a network that has them from that cycle on, in a file
 * with what they have read, gives the same analyses to the bit. The stochastic EnKF draws a perturbation for every observation that
 * there is room for: with it that holds if there is as much room.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExperiment, NO_FILES, validateScenario } from '../../../engine/index.ts';
import type { Backend, Checkpoint, Scenario, ScenarioFiles } from '../../../engine/index.ts';
import type { CycleObservations } from '../../../engine/experiment/truth-observer.ts';
import { backends } from '../../setup/backends.ts';

const CYCLES = 4;
const WINDOW = 0.5;
const PLACES: readonly (readonly [number, number])[] = [
  [2.25, 3],
  [7, 7.5],
  [13, 2],
  [10.5, 9],
];
/** What a run makes room for when gauges are painted. */
const ROOM = 64;
const ERROR = 0.03;

const LOCAL = { localisation: { halfWidth: 3 } };
const METHODS = [
  { kind: '3dvar', covariance: { kind: 'recursive-filter', length: 3, standardDeviation: { h: 0.05 } } },
  { kind: 'letkf', ...LOCAL, inflation: 1.1 },
  { kind: 'nudging' },
];

function twin(changes: object): Scenario {
  const raw = {
    version: 3,
    name: 'painted',
    seed: 11,
    grid: { nx: 16, ny: 12 },
    truth: { initial: { kind: 'drops', count: 2, width: 5 }, spinup: 1 },
    background: { initial: { kind: 'drops', count: 2, width: 5 }, members: 6 },
    observations: [REGULAR],
    experiment: { cycles: CYCLES, window: WINDOW },
    ...changes,
  };
  return validateScenario(raw, 'painted').scenario;
}

const REGULAR = { name: 'gauges', network: { kind: 'regular', stride: [5, 5] } };
const LISTED = {
  name: 'from a file',
  variable: 'hu',
  network: { kind: 'file', file: 'read.csv' },
  errorStandardDeviation: ERROR,
};

async function runOf(backend: Backend, scenario: Scenario, files: ScenarioFiles) {
  const experiment = await createExperiment(backend, scenario, { files, listener: () => undefined });
  const observations: CycleObservations[] = [];
  while (experiment.nextCycle < CYCLES) {
    await experiment.step();
    if (experiment.observations) observations.push(experiment.observations);
  }
  const checkpoint: Checkpoint = await experiment.checkpoint();
  experiment.dispose();
  return { arrays: checkpoint.arrays, observations };
}

/** What the painted gauges have read, as the table of a file has it, with room for more than they are after the end of the run. */
function tableOf(observations: readonly CycleObservations[]): ScenarioFiles {
  const rows = observations.flatMap(({ network: networks, x, y, values }, cycle) =>
    [...networks].flatMap((index, i) => (index === 1 ? [[x[i], y[i], WINDOW * (cycle + 1), values[i]]] : [])),
  );
  for (let row = 0; row < ROOM; row++) rows.push([1, 1, WINDOW * (CYCLES + 1), Number.NaN]);
  const column = (index: number): Float64Array => Float64Array.from(rows, (row) => row[index]);
  const table = { count: rows.length, x: column(0), y: column(1), time: column(2), value: column(3) };
  return { ...NO_FILES, table: () => table };
}

describe.each(backends)('gauges that are painted, on $name', ({ open }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each([
    ['on the way, with methods that draw nothing', 2, METHODS],
    ['before the first cycle, with the EnKF', 0, [{ kind: 'enkf', ...LOCAL }]],
  ])('%s are a network that has them from their cycle on', async (_, cycle, methods) => {
    const gauges = { kind: 'gauges', cycle, add: PLACES, variable: 'hu', errorStandardDeviation: ERROR };
    const painted = await runOf(backend, twin({ methods, interventions: [gauges] }), NO_FILES);
    const counts = painted.observations.map(({ network }) => network.filter((index) => index === 1).length);
    expect(counts).toEqual(Array.from({ length: CYCLES }, (__, c) => (c < cycle ? 0 : PLACES.length)));
    const listed = twin({ methods, observations: [REGULAR, LISTED] });
    expect((await runOf(backend, listed, tableOf(painted.observations))).arrays).toEqual(painted.arrays);
  });
});
