/** The figures of [letkf-gpu], and eigenproblems on newer hardware. */
import { OVER_ONE_CORE, type PublishedFigure } from '../../benchmarks/index.ts';

const LETKF_SOURCE = 'LETKF on GPUs over Moler’s water model [letkf-gpu]';

/** What was timed: C in three forms, the product P = C Y, and C with P. */
export type PublishedPart = 'c-naive' | 'c-workgroup' | 'c-members' | 'p' | 'c-p';

type Ratios = readonly [gtx260: number, gtx460: number];

/** By cells a side: C without decomposition was published of the larger grid alone. */
const RATIOS: Readonly<Record<number, Readonly<Partial<Record<PublishedPart, Ratios>>>>> = {
  192: { 'c-members': [211.4, 175.4], p: [54.3, 75.1], 'c-p': [72.1, 92.7] },
  256: {
    'c-naive': [15, 93.7],
    'c-workgroup': [54, 77.5],
    'c-members': [225.8, 181.1],
    p: [52.5, 80.8],
    'c-p': [70.7, 99.6],
  },
};

/** The tables of the paper name P̃ᵃ what its kernel computes: the product, without the inverse. */
const WITHOUT_INVERSE = 'named P̃ᵃ there: P = C Y, without the inverse';

const INCLUDES: Readonly<Record<PublishedPart, string>> = {
  'c-naive': 'naive, from global memory',
  'c-workgroup': 'from shared memory',
  'c-members': 'decomposed by members, from shared memory',
  p: WITHOUT_INVERSE,
  'c-p': WITHOUT_INVERSE,
};

function ratio(value: number, hardware: string, includes: string): PublishedFigure {
  return {
    value,
    unit: OVER_ONE_CORE,
    largerIsBetter: true,
    hardware: `${hardware} over one core of a Q6600`,
    source: LETKF_SOURCE,
    includes,
    measured: undefined,
  };
}

/** @param n cells a side */
export function publishedPart(n: number, part: PublishedPart): readonly PublishedFigure[] {
  const ratios = RATIOS[n]?.[part];
  return ratios ? [ratio(ratios[1], 'GTX 460', INCLUDES[part]), ratio(ratios[0], 'GTX 260', INCLUDES[part])] : [];
}

/** C in every form, the quickest first, for a kernel that is all of them. @param n cells a side */
export function publishedForms(n: number): readonly PublishedFigure[] {
  return (['c-members', 'c-workgroup', 'c-naive'] as const).flatMap((part) => publishedPart(n, part));
}

/**
 * The nearest figure to what goes beyond C and P.
 *
 * @param n cells a side
 * @param without what the figure does not include
 */
export function publishedBeyond(n: number, without: string): readonly PublishedFigure[] {
  const both = RATIOS[n]?.['c-p'];
  return both ? [ratio(both[1], 'GTX 460', `C and P = C Y alone, ${without}`)] : [];
}

const EIGENPROBLEMS = 16_384;

/** Eigenproblems alone, one a grid point; ours is the whole analysis of as many points. @param points of the grid */
export function publishedEigenproblems(points: number): readonly PublishedFigure[] {
  const one = {
    unit: `ms for ${EIGENPROBLEMS} points`,
    largerIsBetter: false,
    measured: (milliseconds: number) => (milliseconds * EIGENPROBLEMS) / points,
  };
  const includes = 'eigenproblems of order 32 alone; ours is the whole analysis';
  return [
    { ...one, value: 2.75, hardware: 'H100', source: 'EigenG-Batched', includes },
    { ...one, value: 14.8, hardware: 'H100', source: 'cuSOLVER', includes },
  ];
}
