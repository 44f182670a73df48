/** The variants of the sweeps on the GPU: how many lines a workgroup holds. */
import { sizeClassOf } from '../../compute/variants.ts';
import type { KernelVariants } from '../../compute/variants.ts';
import { blockRange } from './plan.ts';
import type { SweepsPlan } from './plan.ts';
import { filterReach } from './taps.ts';
import { tileLines } from './tiling.ts';
import type { Tiling } from './tiling.ts';

export interface WorkgroupVariant {
  readonly invocations: number;
  /** Adjacent lines, a power of two. */
  readonly lines: number;
}

/** Below float32's rounding: the share of the kernel beyond a halo. */
const HALO_TOLERANCE = 1e-9;

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
