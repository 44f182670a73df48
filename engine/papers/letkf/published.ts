/** The figures of [letkf-gpu], and eigenproblems on newer hardware. */
import { OVER_ONE_CORE, type PublishedFigure } from '../../benchmarks/index.ts';

const LETKF_SOURCE = 'LETKF on GPUs over Moler’s water model [letkf-gpu]';

/** The parts: C in three forms, P̃ᵃ from C, and both. */
export const LETKF_PARTS = ['c-naive', 'c-workgroup', 'c-members', 'p', 'c-p'] as const;
export type LetkfPart = (typeof LETKF_PARTS)[number];

type Ratios = readonly [gtx260: number, gtx460: number];

/** By cells a side: C without decomposition was published of the larger grid alone. */
const RATIOS: Readonly<Record<number, Readonly<Partial<Record<LetkfPart, Ratios>>>>> = {
  192: { 'c-members': [211.4, 175.4], p: [54.3, 75.1], 'c-p': [72.1, 92.7] },
  256: {
    'c-naive': [15, 93.7],
    'c-workgroup': [54, 77.5],
    'c-members': [225.8, 181.1],
    p: [52.5, 80.8],
    'c-p': [70.7, 99.6],
  },
};

function ratio(value: number, hardware: string, includes?: string): PublishedFigure {
  return {
    value,
    unit: OVER_ONE_CORE,
    largerIsBetter: true,
    hardware: `${hardware} over one core of a Q6600`,
    source: LETKF_SOURCE,
    ...(includes !== undefined && { includes }),
    measured: undefined,
  };
}

/** @param n cells a side */
export function publishedPart(n: number, part: LetkfPart): readonly PublishedFigure[] {
  const ratios = RATIOS[n]?.[part];
  return ratios ? [ratio(ratios[1], 'GTX 460'), ratio(ratios[0], 'GTX 260')] : [];
}

/** The nearest that there is to the whole analysis, which the paper left for later. @param n cells a side */
export function publishedAnalysis(n: number): readonly PublishedFigure[] {
  const both = RATIOS[n]?.['c-p'];
  return both ? [ratio(both[1], 'GTX 460', 'C and P̃ᵃ alone, not the whole analysis')] : [];
}

const EIGENPROBLEMS = 16_384;

/** Eigenproblems alone, one a grid point; ours is the whole analysis of as many points. @param points of the grid */
export function publishedEigenproblems(points: number): readonly PublishedFigure[] {
  const one = {
    unit: `ms for ${EIGENPROBLEMS} points`,
    largerIsBetter: false,
    measured: (milliseconds: number) => (milliseconds * EIGENPROBLEMS) / points,
  };
  const what = `${EIGENPROBLEMS} symmetric eigenproblems of order 32 alone`;
  return [
    { ...one, value: 2.75, hardware: 'H100', source: `EigenG-Batched, ${what}` },
    { ...one, value: 14.8, hardware: 'H100', source: `cuSOLVER, ${what}` },
  ];
}
