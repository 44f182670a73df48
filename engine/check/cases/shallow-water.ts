/** Cases of the shallow-water model with exact solutions, at coarse grids. */
import type { CheckCase } from '../check-case.ts';
import { lakeAtRest } from '../shallow-water/lake-at-rest.ts';
import { standingWaveOrder } from '../shallow-water/standing-wave.ts';
import type { VerificationCase } from '../shallow-water/verification-case.ts';
import { wetDamBreak } from '../shallow-water/wet-dam-break.ts';

type Words = Pick<CheckCase, 'id' | 'title' | 'claim' | 'basis'>;

function checkCase({ check, coarse }: VerificationCase, words: Words): CheckCase {
  const measure = check ?? coarse;
  return {
    ...words,
    async measure({ backend, turn }) {
      await turn();
      return measure(backend);
    },
  };
}

export const lake = checkCase(lakeAtRest, {
  id: 'lake-at-rest',
  title: 'Lake at rest',
  claim: 'Water at rest over an uneven bed and around an island, on a rotating plane, stays at rest.',
  basis:
    'The scheme is well balanced: what moves is rounding, some units of 2⁻²⁴ of a metre of depth, and its waves. The same bars hold 10 000 steps on 200² cells in the published verification.',
});

export const damBreak = checkCase(wetDamBreak, {
  id: 'dam-break',
  title: 'Dam break on a wet bed (Stoker)',
  claim:
    'A dam breaks over still water: fan, middle state and shock of Stoker’s exact solution, and the order with which errors fall.',
  basis:
    'Relative L1 error of the depth below 1 % with 200 cells, as published for schemes of second order; the order at a shock is 1 at most, and 0.8 is asked for.',
});

export const standingWave = checkCase(standingWaveOrder, {
  id: 'standing-wave',
  title: 'Standing wave',
  claim:
    'A smooth wave of a closed box comes back after its period, with errors that fall with the second power of the cells’ size.',
  basis:
    'The scheme is of second order where the water is smooth; 1.8 is asked for at coarse grids, whose next order still counts.',
});
