/** What is tuned of the recursive filter: the sweeps along each axis, at the size of scenarios and at that of the benchmarks. */
import { tuningTask } from '../../compute/tuning/index.ts';
import type { TuningTask } from '../../compute/tuning/index.ts';
import type { KernelVariants } from '../../compute/variants.ts';
import { recursiveFilter } from './operator.ts';
import type { RecursiveFilterParameters } from './parameters.ts';
import { sweepsAlong } from './plan.ts';
import type { SweepsPlan } from './plan.ts';
import { sweepsVariants } from './wasm-variants.ts';
import { workgroupVariants } from './webgpu-variants.ts';

const SIZES = [
  { n: 256, sigma: 3, iterations: 4 },
  { n: 1024, sigma: 8, iterations: 10 },
] as const;

function sweepsTask<Variant>(
  variants: KernelVariants<SweepsPlan, Variant>,
  { n, sigma, iterations }: (typeof SIZES)[number],
  axis: 'x' | 'y',
): TuningTask {
  const parameters: RecursiveFilterParameters = {
    nx: n,
    ny: n,
    batch: 1,
    sigmaX: axis === 'x' ? sigma : 0,
    sigmaY: axis === 'y' ? sigma : 0,
    iterations,
    form: 'sweeps',
    transpose: false,
    boundaryX: 'free',
    boundaryY: 'free',
  };
  return tuningTask({
    operator: recursiveFilter,
    parameters,
    variants,
    subject: sweepsAlong(parameters, axis),
    size: `${n} × ${n} along ${axis}, K = ${iterations}`,
    arrays: { input: n * n, output: n * n },
  });
}

function tasksOf<Variant>(variants: KernelVariants<SweepsPlan, Variant>): readonly TuningTask[] {
  return SIZES.flatMap((size) => [sweepsTask(variants, size, 'x'), sweepsTask(variants, size, 'y')]);
}

export const recursiveFilterTuning = { wasm: tasksOf(sweepsVariants), webgpu: tasksOf(workgroupVariants) } as const;
