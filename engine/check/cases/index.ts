/** The cases of the self-check. They are loaded when a check is made. */
import type { CheckCase } from '../document.ts';
import { adjoints, gradient, linearised } from './derivatives.ts';
import { equivalence, operators } from './operators.ts';
import { createReferenceBackend } from '../../compute/host-backend.ts';
import { agreementProblems, compareRuns } from '../assimilation/twin.ts';
import { median } from '../../statistics/index.ts';
import { analysisErrors, BRIEF, BRIEF_BAR, sevenMembers, SHORT, SHORT_BAR, type Extent } from '../lorenz-96.ts';
import { runCase, type ReadCaseFile } from '../../cases/index.ts';
import type { Measurement } from '../measures.ts';
import { lakeAtRest, wetDamBreak, standingWaveOrder, type VerificationCase } from '../shallow-water/cases.ts';

const descriptions = import.meta.glob<string>(
  [
    '../../../test/oracle/recursive-filter/{1d-n64-s2-k1-a,2d-33x47-s3-k4-a}/case.json',
    '../../../test/oracle/{convolution/random5-8x8x8-a,letkf/8x8-k6-p3-a}/case.json',
    '../../../test/oracle/{gain-covariance/16x16-L12-m20-a,variational/3dvar-12x15-p20-a}/case.json',
  ],
  { query: '?raw', import: 'default', eager: true },
);
const arrays = import.meta.glob<string>(
  [
    '../../../test/oracle/recursive-filter/{1d-n64-s2-k1-a,2d-33x47-s3-k4-a}/*.npy',
    '../../../test/oracle/{convolution/random5-8x8x8-a,letkf/8x8-k6-p3-a}/*.npy',
    '../../../test/oracle/{gain-covariance/16x16-L12-m20-a,variational/3dvar-12x15-p20-a}/*.npy',
  ],
  { query: '?inline', import: 'default', eager: true },
);

/** Decodes a data: address in base64. */
function bytesOf(address: string): Uint8Array {
  return Uint8Array.from(atob(address.slice(address.indexOf(',') + 1)), (character) => character.charCodeAt(0));
}

/**
 * Operator cases that ship: small ones of those that the tests have, computed by numpy in float64 by somebody else's code. They
 * are put into the program when it is built.
 */
interface EmbeddedCase {
  /** `letkf/8x8-k6-p3-a`. */
  readonly name: string;
  readonly read: ReadCaseFile;
}

const embeddedCases: readonly EmbeddedCase[] = Object.entries(descriptions).map(([path, description]) => {
  const folder = path.slice(0, path.lastIndexOf('/'));
  return {
    name: folder.split('/').slice(-2).join('/'),
    read: (file) => {
      const array = arrays[`${folder}/${file}`];
      if (file === 'case.json') return Promise.resolve(new TextEncoder().encode(description));
      return Promise.resolve(array === undefined ? undefined : bytesOf(array));
    },
  };
});

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

/** Cases of the shallow-water model with exact solutions, at coarse grids. */
const lake = checkCase(lakeAtRest, {
  id: 'lake-at-rest',
  title: 'Lake at rest',
  claim: 'Water at rest over an uneven bed and around an island, on a rotating plane, stays at rest.',
  basis:
    'The scheme is well balanced: what moves is rounding, some units of 2⁻²⁴ of a metre of depth, and its waves. The same bars hold 10 000 steps on 200² cells in the published verification.',
});

const damBreak = checkCase(wetDamBreak, {
  id: 'dam-break',
  title: 'Dam break on a wet bed (Stoker)',
  claim:
    'A dam breaks over still water: fan, middle state and shock of Stoker’s exact solution, and the order with which errors fall.',
  basis:
    'Relative L1 error of the depth below 1 % with 200 cells, as published for schemes of second order; the order at a shock is 1 at most, and 0.8 is asked for.',
});

const standingWave = checkCase(standingWaveOrder, {
  id: 'standing-wave',
  title: 'Standing wave',
  claim:
    'A smooth wave of a closed box comes back after its period, with errors that fall with the second power of the cells’ size.',
  basis:
    'The scheme is of second order where the water is smooth; 1.8 is asked for at coarse grids, whose next order still counts.',
});

/** Operators against results that were computed independently. */
const oracle: CheckCase = {
  id: 'oracle',
  title: 'Operators against numpy',
  claim:
    'Recursive filter, convolution, LETKF, tapered gain covariance and a whole minimisation of 3D-Var give what independent programs in numpy gave in float64, from the same arrays.',
  basis:
    'max|a − b| / max(1, max|b|), which the cases allow by precision: in float64 the rounding of the solves, in float32 that of the longest sums.',
  async measure({ backend, turn }) {
    const found: Measurement[] = [];
    for (const { name, read } of embeddedCases) {
      await turn();
      const { errors, tolerance = 0, notFinite } = await runCase(backend, name, read);
      for (const [output, error] of Object.entries(errors)) {
        found.push({
          what: `${name}: ${output}`,
          value: notFinite === undefined ? error : NaN,
          bar: { atMost: tolerance },
        });
      }
    }
    return found;
  },
};

/** How long the usual extent may take, seconds: beyond, a shorter one is run, with the bar that it then has. */
const PATIENCE_SECONDS = 20;
/** The runs that measure the pace, once everything is compiled. */
const TRIAL: Extent = { seeds: 1, spinup: 0, cycles: 8 };

/** A row of the published table of Lorenz-96. */
const lorenz96: CheckCase = {
  id: 'lorenz-96',
  title: 'Lorenz-96 benchmark, LETKF of seven members',
  claim:
    'A twin experiment on the 40 variables of Lorenz-96, every one observed with unit error each 0.05 time units, LETKF with N = 7, inflation 1.04 and radius 4: its mean analysis error is the one that is published, 0.22.',
  basis:
    'Within 5 % of the published value, the bar of the whole table (ten seeds of 1000 cycles), and three standard deviations of what is run here beyond, from those of sixteen seeds: 8.7 % for the median of three seeds of 600 cycles, 21 % for one of 250, which is run where the usual one would take more than 20 s.',
  async measure({ backend, turn }) {
    await analysisErrors(backend, sevenMembers, { ...TRIAL, cycles: 1 }, turn);
    const begin = performance.now();
    await analysisErrors(backend, sevenMembers, TRIAL, turn);
    const secondsOfCycle = (performance.now() - begin) / 1000 / TRIAL.cycles;
    const isQuick = SHORT.seeds * (SHORT.spinup + SHORT.cycles) * secondsOfCycle <= PATIENCE_SECONDS;
    const [extent, share] = isQuick ? [SHORT, SHORT_BAR] : [BRIEF, BRIEF_BAR];
    const errors = await analysisErrors(backend, sevenMembers, extent, turn);
    const { published } = sevenMembers;
    const ofWhat = extent.seeds === 1 ? 'one seed' : `median of ${extent.seeds} seeds`;
    return [
      {
        what: `${ofWhat}, ${extent.cycles} cycles: RMSE of the analysis`,
        value: median(errors),
        bar: { between: [published * (1 - share), published * (1 + share)] },
      },
    ];
  },
};

const AFTER = [1, 10];
/** Names of the states in a checkpoint: truth and ensembles. */
const STATE = /^method\.|^(?=truth$)/;

/** A short run against the reference. */
const agreement: CheckCase = {
  id: 'agreement',
  title: 'A run against the reference',
  claim:
    'Ten cycles of a rotating channel with drops, gauges, drifting buoys, a free run, 3D-Var, LETKF and EnKF leave the states that the reference leaves, but for rounding and its growth. The number is the largest difference of a state.',
  basis:
    'Measured in float64: a second run that starts from states wrong by one rounding, 2⁻²⁴, gives the growth G(m) by cycle; each cycle adds three roundings of its own, so that after n cycles a state may be 3·2⁻²⁴ Σ G(m) off, m from 0 to n.',
  async measure({ backend, turn }) {
    if (backend.name === 'reference') return { notApplicable: 'this backend is the reference' };
    const reference = createReferenceBackend();
    try {
      const { differences } = await compareRuns(reference, backend, agreementProblems[0], AFTER, turn);
      return differences
        .filter(({ state }) => STATE.test(state))
        .map(({ state, cycle, difference, bound }) => ({
          what: `${state.replace(STATE, '')} after ${cycle === 1 ? 'one cycle' : `${cycle} cycles`}`,
          value: difference,
          bar: { atMost: bound },
        }));
    } finally {
      reference.dispose();
    }
  },
};

/** In the order in which they are run: what others rest on comes first. */
export const CHECK_CASES: readonly CheckCase[] = [
  operators,
  oracle,
  adjoints,
  linearised,
  gradient,
  equivalence,
  agreement,
  lake,
  damBreak,
  standingWave,
  lorenz96,
];
