/** Drops that take their water from the basin. */
import { describe, expect, it } from 'vitest';
import { createForcing } from '../../../engine/experiment/forcing.ts';
import { forcingField } from '../../../engine/forcing/index.ts';
import { createReferenceBackend } from '../../../engine/index.ts';
import { displace } from '../../../engine/initial-states/index.ts';
import { tinyScenario } from '../document/run/tiny-scenario.ts';

const grid = { nx: 12, ny: 10, dx: 1, dy: 1, periodicX: false, periodicY: false };
const CELLS = 120;
const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);

describe('a displaced drop', () => {
  it('takes its water from the wet cells alone, all by the same height', () => {
    const bed = Float64Array.from({ length: CELLS }, (_, cell) => (cell < 24 ? 0.5 : -1));
    const elevation = Float64Array.from({ length: CELLS }, (_, cell) => (cell === 50 ? 0.96 : 0));
    displace(elevation, bed);
    expect(sum(elevation)).toBeCloseTo(0, 12);
    expect(elevation[0]).toBe(0);
    expect(elevation[30]).toBeCloseTo(-0.01, 12);
    expect(elevation[50]).toBeCloseTo(0.95, 12);
  });

  it('changes nothing in dry cells', () => {
    const elevation = new Float64Array(CELLS).fill(0.1);
    displace(elevation, new Float64Array(CELLS).fill(1));
    expect(elevation).toEqual(new Float64Array(CELLS).fill(0.1));
  });
});

describe('drops that fall during the run', () => {
  it.each(['added', 'displaced'] as const)('that are %s', async (volume) => {
    const backend = createReferenceBackend();
    const kind = { kind: 'drops', every: 1, count: 2, amplitude: [0.3, 0.3], width: 4, volume };
    const scenario = tinyScenario({ truth: { ...tinyScenario().truth, forcing: kind } });
    const bed = new Float64Array(CELLS).fill(-1);
    const forcing = createForcing(backend, scenario, { grid, bed }, { stateLength: 3 * CELLS });
    const truth = backend.allocate('truth', 'real', 3 * CELLS);
    for (let cycle = 0; cycle < 50; cycle++) {
      await forcing.draw(cycle, []);
      forcing.applyToTruth(truth);
    }
    const level = sum(Float64Array.from((await backend.read(truth)).subarray(0, CELLS))) / CELLS;
    const [least, most] = volume === 'displaced' ? [-1e-10, 1e-10] : [0.5, Infinity];
    expect(level).toBeGreaterThan(least);
    expect(level).toBeLessThan(most);
    expect(forcing.lowers).toBe(volume === 'displaced');
    for (const owned of [forcing, truth, backend]) owned.dispose();
  });

  it('add their water if a file does not say it, as files always have', () => {
    expect(forcingField.parse({ kind: 'drops' })).toMatchObject({ volume: 'added' });
  });
});
