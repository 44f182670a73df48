/** The variants of the recursive filter's sweeps in SIMD, and how few long lines are cut so that all lanes have work. */
import { sizeClassOf } from '../../compute/variants.ts';
import type { KernelVariants } from '../../compute/variants.ts';
import type { SweepsPlan } from './plan.ts';
import { filterReach } from './taps.ts';

/** Lines, or tiles of lines, that are swept together. */
export interface SweepsVariant {
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
export interface LineTiles {
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
