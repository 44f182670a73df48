/** The verification of the shallow-water schemes, in the order of the published table. */
import { axisymmetricBasin } from './cases/axisymmetric-basin.ts';
import { balance } from './cases/balance.ts';
import { conservation } from './cases/conservation.ts';
import { direction } from './cases/direction.ts';
import { dropsInABasin } from './cases/drops-in-a-basin.ts';
import { dryDamBreak } from './cases/dry-dam-break.ts';
import { lakeAtRest, wetDamBreak, standingWaveOrder } from '../../../engine/check/shallow-water/cases.ts';
import type { VerificationCase } from '../../../engine/check/shallow-water/cases.ts';

import { planarBasin } from './cases/planar-basin.ts';
import { poincareWaveOrder } from './cases/poincare-wave.ts';
import { radialDamBreak } from './cases/radial-dam-break.ts';
import { selfConvergence } from './cases/self-convergence.ts';

import { vonNeumann } from './cases/von-neumann.ts';

export const cases: readonly VerificationCase[] = [
  lakeAtRest,
  wetDamBreak,
  dryDamBreak,
  standingWaveOrder,
  planarBasin,
  axisymmetricBasin,
  balance,
  poincareWaveOrder,
  selfConvergence,
  conservation,
  radialDamBreak,
  vonNeumann,
  direction,
  dropsInABasin,
];
