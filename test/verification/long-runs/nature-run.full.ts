/**
 * The truth of `chaotic-sea` over 10 000 cycles, and how fast errors of its beginning grow: `npm run verify -- nature-run`. It takes some
 * ten minutes of one core. SHOAL_NATURE_CYCLES says how many cycles.
 */
import { expect, it } from 'vitest';
import { createDriving } from '../../../engine/experiment/forcing.ts';
import { createModel } from '../../../engine/experiment/index.ts';
import { createWasmBackend, NO_FILES } from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { drawTruth } from '../../../engine/experiment/draw.ts';
import { randomStream } from '../../../engine/random/stream.ts';
import { startKernelThread } from '../../setup/kernel-threads.ts';
import { shippedScenario } from '../../setup/run-scenario.ts';

const CYCLES = Number(process.env['SHOAL_NATURE_CYCLES'] ?? 10_000);
const BLOCKS = 10;
const scenario = shippedScenario('chaotic-sea');
const { nx, ny, dx } = scenario.grid;
const CELLS = nx * ny;
const { window } = scenario.experiment;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Kinetic energy and enstrophy per unit of mass, m²/s² and 1/s², of a state h, hu, hv in a periodic basin. */
function quantitiesOf(state: Float64Array): { readonly energy: number; readonly enstrophy: number } {
  const speed = (variable: number, j: number, i: number): number => {
    const cell = ((j + ny) % ny) * nx + ((i + nx) % nx);
    return state[variable * CELLS + cell] / state[cell];
  };
  let [energy, enstrophy] = [0, 0];
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      energy += (speed(1, j, i) ** 2 + speed(2, j, i) ** 2) / 2;
      const vorticity = (speed(2, j, i + 1) - speed(2, j, i - 1) - speed(1, j + 1, i) + speed(1, j - 1, i)) / (2 * dx);
      enstrophy += vorticity ** 2 / 2;
    }
  }
  return { energy: energy / CELLS, enstrophy: enstrophy / CELLS };
}

/** The truth of a seed, alone or beside a copy that begins otherwise, moved on cycle by cycle. */
async function createNature(backend: Backend, seed: number, states: number) {
  const own = { ...scenario, seed };
  const model = createModel(own, NO_FILES);
  const driving = createDriving(own);
  const propagator = await driving.ofMethods(model).prepare(backend, states);
  const field = backend.allocate('nature', 'real', states * 3 * CELLS);
  const begin = model.toState(drawTruth(own, model, NO_FILES));
  for (let state = 0; state < states; state++) backend.write(field, begin, state * begin.length);
  for (const part of driving.spinUp) {
    driving.drive(part);
    await propagator.advance(field, part.seconds);
  }
  return {
    read: () => backend.read(field),
    write: (values: Float64Array, state: number) => backend.write(field, values, state * begin.length),
    async advance(cycle: number) {
      driving.drive(driving.intervalOf(cycle));
      await propagator.advance(field, window);
      await propagator.check(`seed ${seed}, cycle ${cycle}`);
    },
    dispose() {
      for (const owned of [propagator, field]) owned.dispose();
    },
  };
}

/** The slope of a line through evenly spaced values over its standard error. */
function trendOf(values: readonly number[]): number {
  const centre = (values.length - 1) / 2;
  const mean = meanOf(values);
  const spread = values.reduce((sum, _, i) => sum + (i - centre) ** 2, 0);
  const slope = values.reduce((sum, value, i) => sum + (i - centre) * (value - mean), 0) / spread;
  const left = values.reduce((sum, value, i) => sum + (value - mean - slope * (i - centre)) ** 2, 0);
  return slope / Math.sqrt(left / (values.length - 2) / spread);
}

it('is statistically steady', async () => {
  const backend = await createWasmBackend({ threads: 1, startThread: startKernelThread });
  const nature = await createNature(backend, 1, 1);
  const blocks: { energy: number; enstrophy: number }[][] = Array.from({ length: BLOCKS }, () => []);
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    await nature.advance(cycle);
    blocks[Math.floor((cycle * BLOCKS) / CYCLES)].push(quantitiesOf(await nature.read()));
  }
  for (const name of ['energy', 'enstrophy'] as const) {
    const means = blocks.map((block) => meanOf(block.map((each) => each[name])));
    const mean = meanOf(means);
    print(`${name}: ${means.map((value) => value.toPrecision(4)).join(' ')}, trend ${trendOf(means).toFixed(2)}`);
    // Means over 1000 cycles have a standard deviation of 2 %: five of them.
    for (const value of means) expect(Math.abs(value / mean - 1)).toBeLessThan(0.1);
    // Student's t with 8 degrees of freedom is beyond 3.36 once in a hundred.
    expect(Math.abs(trendOf(means))).toBeLessThan(3.36);
  }
  for (const owned of [nature, backend]) owned.dispose();
});

/**
 * The doubling time that the scenario states, 26 minutes, in cycles, and the standard deviation of that of one beginning: seeds 1 to 10
 * have 3.43, 3.77, 4.01, 4.45, 3.80, 3.69, 3.48, 2.68, 3.73 and 2.91. Another processor rounds otherwise, and has other beginnings soon.
 * The mean of ten is then three standard errors, 0.48, from what is stated once in 67 times (Student's t with 9 degrees of freedom).
 */
const DOUBLING = (26 * 60) / window;
const DOUBLING_DEVIATION = 0.51;

it('doubles an error of its beginning in 26 minutes', async () => {
  const backend = await createWasmBackend({ threads: 1, startThread: startKernelThread });
  const doublings: number[] = [];
  for (let seed = 1; seed <= 10; seed++) {
    const nature = await createNature(backend, seed, 2);
    const other = (await nature.read()).slice(3 * CELLS);
    const stream = randomStream(seed, 'nature.twin');
    // Of the size of the currents times 1e-3: far from saturation, far above the rounding of float32.
    for (let i = CELLS; i < 3 * CELLS; i++) other[i] += 1e-3 * stream.normal();
    nature.write(other, 1);
    const errors: number[] = [];
    let largest = 0;
    for (let cycle = 0; cycle < 200 && largest < 0.1; cycle++) {
      await nature.advance(cycle);
      const state = await nature.read();
      let square = 0;
      for (let i = CELLS; i < 3 * CELLS; i++) square += (state[i] - state[3 * CELLS + i]) ** 2;
      largest = Math.sqrt(square / (2 * CELLS));
      errors.push(largest);
    }
    // From the smallest error on, when what grows has been found, to a tenth of the currents.
    const least = errors.indexOf(Math.min(...errors));
    const cycles = errors.length - 1 - least;
    doublings.push((cycles * Math.LN2) / Math.log(largest / errors[least]));
    nature.dispose();
  }
  const list = doublings.map((value) => value.toFixed(2)).join(' ');
  print(`doubling time: ${list}; mean ${meanOf(doublings).toFixed(2)} cycles of ${window} s`);
  expect(Math.abs(meanOf(doublings) - DOUBLING)).toBeLessThan(3 * (DOUBLING_DEVIATION / Math.sqrt(doublings.length)));
  backend.dispose();
});
