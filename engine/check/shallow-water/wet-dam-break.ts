import { row } from './cells.ts';
import { stoker } from './exact/stoker.ts';
import type { WetDamBreak } from './exact/stoker.ts';
import { order, relativeL1 } from '../measures.ts';
import { centresOf, flatBed, meansOf } from './problem.ts';
import { simulate } from './simulation.ts';
import type { Backend } from '../../compute/backend.ts';
import { verificationCase } from './verification-case.ts';

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
