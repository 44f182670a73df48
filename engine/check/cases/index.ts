/** The cases of the self-check. They are loaded when a check is made. */
import type { CheckCase } from '../check-case.ts';
import { adjoints } from './adjoints.ts';
import { agreement } from './agreement.ts';
import { equivalence } from './equivalence.ts';
import { gradient } from './gradient.ts';
import { lorenz96 } from './lorenz-96.ts';
import { operators } from './operators.ts';
import { oracle } from './oracle.ts';
import { damBreak, lake, standingWave } from './shallow-water.ts';

/** In the order in which they are run: what others rest on comes first. */
export const CHECK_CASES: readonly CheckCase[] = [
  operators,
  oracle,
  adjoints,
  gradient,
  equivalence,
  agreement,
  lake,
  damBreak,
  standingWave,
  lorenz96,
];
