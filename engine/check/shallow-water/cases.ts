/** The cases of the shallow-water model that the self-check runs: a lake at rest, a dam break, a standing wave. */
import type { Backend } from '../../compute/backend.ts';
import { atCentres, box, row, stillWater, centresOf, flatBed, meansOf, simulate } from './simulation.ts';
import { largest, order, relativeL1, type Measurement } from '../measures.ts';
import { stoker, standingWave, standingWaveFrequency, type Bed, type WetDamBreak } from './exact.ts';

/**
 * One case of the verification: at the full grids of the published table, at the coarse grids of the test suite, and, where
 * float32 is to be watched, at grids that a GPU in software can manage; and at those of the self-check, which may be fewer yet.
 */
export interface VerificationCase {
  /** 'V1 lake at rest'. */
  readonly name: string;
  readonly coarse: (backend: Backend) => Promise<readonly Measurement[]>;
  readonly brief?: (backend: Backend) => Promise<readonly Measurement[]>;
  readonly full: (backend: Backend) => Promise<readonly Measurement[]>;
  readonly check?: (backend: Backend) => Promise<readonly Measurement[]>;
}

/** A case from its measurement and the resolutions it is made with. */
export function verificationCase<Options>(
  name: string,
  measure: (backend: Backend, options: Options) => Promise<readonly Measurement[]>,
  {
    coarse,
    full,
    brief,
    check = brief,
  }: { readonly coarse: Options; readonly full: Options; readonly brief?: Options; readonly check?: Options },
): VerificationCase {
  return {
    name,
    coarse: (backend) => measure(backend, coarse),
    ...(brief && { brief: (backend: Backend) => measure(backend, brief) }),
    ...(check && { check: (backend: Backend) => measure(backend, check) }),
    full: (backend) => measure(backend, full),
  };
}

const wavy: Bed = (x, y) => -(1 + 0.2 * (Math.cos(y / (4 * Math.PI)) + Math.sin(x / (4 * Math.PI))));

/** A conical island in the middle of a box of `side` metres; its top is half a metre above the lake. */
const island =
  (side: number): Bed =>
  (x, y) =>
    Math.max(-1, 0.5 - (6 * Math.hypot(x - side / 2, y - side / 2)) / side);

/**
 * Water at rest at z = 0 on a rotating plane, over a wavy bed and around an island, stays at rest: cells of 1 m, steps of
 * 0.1 s, walls; the island in half the side. The elevation is looked at where the water started.
 */
export const lakeAtRest = verificationCase(
  'V1 lake at rest',
  async (backend, { side, steps }: { readonly side: number; readonly steps: number }) => {
    const lakes = [
      { where: 'wavy bed', side, elevation: wavy },
      { where: 'island', side: side / 2, elevation: island(side / 2) },
    ];
    const measurements = [];
    for (const { where, side, elevation } of lakes) {
      const cells = box(side, side, [-0.5, side - 0.5], [-0.5, side - 0.5]);
      const bed = atCentres(cells, elevation);
      const initial = stillWater(cells, bed, () => 0);
      const problem = { cells, gravity: 9.81, bed, coriolis: 0.2, timeStep: 0.1, initial };
      const { eta, hu, hv } = await simulate(backend, problem, 0.1 * steps);
      measurements.push(
        {
          what: `${where}, ${side}², ${steps} steps: largest size of η, m`,
          value: largest(eta.filter((_, cell) => initial.h[cell] > 0)),
          bar: { atMost: 5e-7 },
        },
        {
          what: `${where}: largest size of hu, hv, m²/s`,
          value: Math.max(largest(hu), largest(hv)),
          bar: { atMost: 5e-6 },
        },
      );
    }
    return measurements;
  },
  { brief: { side: 28, steps: 200 }, coarse: { side: 50, steps: 1000 }, full: { side: 200, steps: 10_000 } },
);

/** Relative L1 error of the depth in a box of length 2·dam, `seconds` after the dam breaks. */
async function errorOfDepth(backend: Backend, dam: WetDamBreak, nx: number, seconds: number): Promise<number> {
  const cells = row(nx, [0, 2 * dam.dam]);
  const exact = stoker(dam);
  const problem = { cells, gravity: dam.gravity, bed: flatBed(cells, 0), initial: meansOf(cells, exact) };
  const { h } = await simulate(backend, problem, seconds);
  return relativeL1(h, centresOf(cells, exact, seconds).h);
}

interface Extent {
  /** Numbers of cells of the shallow dam, 200 among them. */
  readonly cells: readonly number[];
  /** After which the deep one is looked at. */
  readonly seconds?: readonly number[];
}

const millimetres: WetDamBreak = { gravity: 9.81, dam: 5, left: 0.005, right: 0.001 };
const metres: WetDamBreak = { gravity: 9.81, dam: 500, left: 10, right: 1 };

/** Stoker's dam break: 5 mm over 1 mm in a box of 10 m after 6 s, and 10 m over 1 m in a box of 1000 m. */
export const wetDamBreak = verificationCase(
  'V2 dam break on a wet bed',
  async (backend, { cells, seconds = [5, 25, 50] }: Extent) => {
    const errors: number[] = [];
    for (const nx of cells) errors.push(await errorOfDepth(backend, millimetres, nx, 6));
    const measurements = [
      { what: '5 mm : 1 mm, 200 cells: L1 of h', value: errors[cells.indexOf(200)], bar: { atMost: 0.01 } },
      { what: `5 mm : 1 mm, ${cells.join('/')} cells: order`, value: order(cells, errors), bar: { atLeast: 0.8 } },
    ];
    for (const after of seconds) {
      const value = await errorOfDepth(backend, metres, 200, after);
      measurements.push({ what: `10 m : 1 m, 200 cells, ${after} s: L1 of stage`, value, bar: { atMost: 0.01 } });
    }
    return measurements;
  },
  {
    check: { cells: [50, 100, 200], seconds: [25] },
    coarse: { cells: [100, 200, 400] },
    full: { cells: [100, 200, 400, 800, 1600] },
  },
);

/** The (2, 1) mode of a closed box, a/H = 1e-4, after one period. */
export const standingWaveOrder = verificationCase(
  'V4 standing wave',
  async (backend, { cells }: { readonly cells: readonly number[] }) => {
    const wave = { gravity: 9.81, depth: 1, lx: 10, ly: 10, modes: [2, 1] as const, amplitude: 1e-4 };
    const exact = standingWave(wave);
    const seconds = (2 * Math.PI) / standingWaveFrequency(wave);
    const errors: number[] = [];
    for (const n of cells) {
      const grid = box(n, n, [0, wave.lx], [0, wave.ly]);
      const problem = {
        cells: grid,
        gravity: wave.gravity,
        bed: flatBed(grid, -wave.depth),
        initial: meansOf(grid, exact),
      };
      const { eta } = await simulate(backend, problem, seconds);
      errors.push(relativeL1(eta, centresOf(grid, exact, seconds).eta));
    }
    return [
      { what: `${cells.join('/')} cells a side: L1 order of η`, value: order(cells, errors), bar: { atLeast: 1.8 } },
    ];
  },
  { check: { cells: [12, 24, 48] }, coarse: { cells: [16, 32, 64] }, full: { cells: [32, 64, 128] } },
);
