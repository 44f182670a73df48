/** The variants of the sweeps in SIMD and on the GPU, and how lines are cut or shared among invocations. */
import { sizeClassOf, type KernelVariants } from '../../compute/variants.ts';
import { blockRange } from './band.ts';
import type { SweepsPlan } from './plan.ts';
import { filterReach } from './taps.ts';
import { LimitError } from '../../errors.ts';

/** Lines, or tiles of lines, that are swept together. */
interface SweepsVariant {
  readonly lanes: 16 | 24 | 28 | 32;
}

/**
 * What a step of a sweep takes, about: until there are enough lines to hide how long each point waits for the one before, it is the
 * same for any number; if there are more sums than registers, it is much more.
 */
const STEPS: readonly (readonly [lanes: SweepsVariant['lanes'], cost: number])[] = [
  [16, 1],
  [24, 1.05],
  [28, 1.1],
  [32, 1.6],
];

export const sweepsVariants: KernelVariants<SweepsPlan, SweepsVariant> = {
  kernel: 'recursive-filter.sweeps',
  sizeClass: ({ lines: { length, step, count } }) => `${step === 1 ? 'along' : 'across'}-${sizeClassOf(length, count)}`,
  offered(plan) {
    const { step, count } = plan.lines;
    // Lines of a plane, or tiles of all lines.
    const together = step === 1 ? count * tilesOf(plan).tiles : step;
    const costOf = ([lanes, cost]: (typeof STEPS)[number]): number => Math.ceil(together / lanes) * cost;
    const ordered = STEPS.toSorted((a, b) => costOf(a) - costOf(b));
    return Object.fromEntries(ordered.map(([lanes]) => [`lanes-${lanes}`, { lanes }]));
  },
};

/** How a line is cut: a tile's points that are kept, and those beyond them on each side where end conditions are still felt. */
interface LineTiles {
  readonly tilePoints: number;
  readonly halo: number;
  readonly tiles: number;
}

/** Below float32's rounding: the share of the kernel beyond a halo. */
const HALO_TOLERANCE = 1e-9;
/** Lines from which on all lanes have work without cutting any. */
const ENOUGH_LINES = 32;
const LEAST_TILE = 256;
/** Points that are kept for each one that is swept twice, at least. */
const POINTS_PER_HALO = 8;

/** Few lines whose points are contiguous are cut, where they are long enough to give several tiles. */
export function tilesOf({ lines: { length, step, count }, sigma, iterations }: SweepsPlan): LineTiles {
  const whole: LineTiles = { tilePoints: length, halo: 0, tiles: 1 };
  if (step !== 1 || count >= ENOUGH_LINES) return whole;
  const halo = filterReach(sigma, iterations, HALO_TOLERANCE);
  const tilePoints = Math.max(LEAST_TILE, POINTS_PER_HALO * halo);
  return length < 2 * tilePoints ? whole : { tilePoints, halo, tiles: Math.ceil(length / tilePoints) };
}

/** Lanes that a line has at most, and points that a lane can hold; the largest as in sweeps.wgsl. */
const MOST_LANES = 256;
const CELLS = [4, 8, 16, 32] as const;
const MOST_CELLS = CELLS[CELLS.length - 1];

/** Points up to which a lane holds the fewest: the scan over lanes is then short, and a sweep even more so. */
const SHORT_LINE = 128;

/** The share of a tile that its halo may take before a larger tile is preferred, and the most it may ever take. */
const HALO_SHARE = 0.25;
const LARGEST_HALO_SHARE = 0.875;

/**
 * How a sweep pass on the GPU is shared among invocations: points in a lane, lanes of a line, tiles and halos. The numbers depend on
 * these, so they follow from the line alone; how many lines a workgroup holds is up to the device.
 */
interface Tiling {
  /** Lanes of a line or a tile of it: a power of two. */
  readonly lanes: number;
  /** Points of a lane. */
  readonly cells: number;
  /** Points of a tile that are kept, and the halo on each side; a line that fits is one tile without halo. */
  readonly tilePoints: number;
  readonly halo: number;
  readonly tiles: number;
}

/**
 * @param points of the longest line (or block of a line, with its overlap)
 * @param reach points after which an end condition is no longer felt
 * @throws LimitError when neither the line nor a tile and its halo fit
 */
export function tileLines(points: number, reach: number): Tiling {
  const whole = CELLS.find((cells) => points <= (cells === CELLS[0] ? SHORT_LINE : MOST_LANES * cells));
  if (whole !== undefined) {
    return { lanes: powerOfTwo(points / whole), cells: whole, tilePoints: points, halo: 0, tiles: 1 };
  }
  const cut = CELLS.find((cells) => 2 * reach <= HALO_SHARE * MOST_LANES * cells);
  if (cut !== undefined) return cutLine(points, cut, reach);
  const capacity = MOST_LANES * MOST_CELLS;
  if (2 * reach <= LARGEST_HALO_SHARE * capacity) return cutLine(points, MOST_CELLS, reach);
  throw new LimitError(
    `recursive-filter: a line of ${points} points and a kernel that reaches ${reach} points are too much for the sweeps ` +
      `on the GPU: at most ${capacity} points, or a reach of at most ${(LARGEST_HALO_SHARE * capacity) / 2}; use a smaller sigma, a decomposition, ` +
      'periodic boundaries, or --backend reference',
  );
}

function powerOfTwo(least: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, least)));
}

function cutLine(points: number, cells: number, reach: number): Tiling {
  const tilePoints = MOST_LANES * cells - 2 * reach;
  return { lanes: MOST_LANES, cells, tilePoints, halo: reach, tiles: Math.ceil(points / tilePoints) };
}

export interface WorkgroupVariant {
  readonly invocations: number;
  /** Adjacent lines, a power of two. */
  readonly lines: number;
}

/** Points of the longest block of a line, with its overlaps. */
export function longestBlock({ lines, blocks }: SweepsPlan): number {
  return blockRange(lines.length, blocks.count, 0).size + 2 * blocks.overlap;
}

/** @throws LimitError where the line does not fit */
export function tilingOf(plan: SweepsPlan): Tiling {
  return tileLines(longestBlock(plan), filterReach(plan.sigma, plan.iterations, HALO_TOLERANCE));
}

const INVOCATIONS = [256, 512, 1024, 128, 64] as const;
/** Lines whose neighbouring points fill a memory transaction. */
const LINES_TOGETHER = 8;

/** Lanes of a line, and a power of two of lines as long as there are any. */
function workgroupOf(invocations: number, lanes: number, count: number): WorkgroupVariant {
  let lines = 1;
  while (2 * lines * lanes <= invocations && lines < count) lines *= 2;
  return { invocations: lines * lanes, lines };
}

export const workgroupVariants: KernelVariants<SweepsPlan, WorkgroupVariant> = {
  kernel: 'recursive-filter.sweeps',
  sizeClass: (plan) => {
    const { length, step, count } = plan.lines;
    return `${step === 1 ? 'along' : 'across'}-${sizeClassOf(length, count)}-${tilingOf(plan).cells}`;
  },
  offered(plan, { workgroupInvocations }) {
    const { lanes } = tilingOf(plan);
    const { step, count } = plan.lines;
    const possible = INVOCATIONS.filter(
      (invocations) => invocations >= lanes && invocations <= workgroupInvocations,
    ).map((invocations) => workgroupOf(invocations, lanes, count));
    // Across lines, what is read together is contiguous only as far as lines are adjacent.
    const isCoalesced = ({ lines }: WorkgroupVariant): boolean =>
      step === 1 || lines >= Math.min(LINES_TOGETHER, count);
    const ordered = [...possible.filter(isCoalesced), ...possible.filter((variant) => !isCoalesced(variant))];
    return Object.fromEntries(ordered.map((variant) => [`lines-${variant.lines}`, variant]));
  },
};
