/** The separable convolution of a volume with sixteen taps, as the magic filter has them. */
import { convolution } from '../operators/convolution/index.ts';
import type { ConvolutionParameters } from '../operators/convolution/index.ts';
import type { Benchmark } from './benchmark.ts';
import { someNumbers } from './inputs.ts';
import { openOperator } from './operator-workload.ts';
import { publishedConvolution } from './published.ts';

const TAPS = 16;

function volume(n1: number, n2: number, n3: number, isPublished = false): Benchmark {
  const points = n1 * n2 * n3;
  const parameters: ConvolutionParameters = { n1, n2, n3, taps: [...someNumbers(TAPS, 0.2, 2)], lower: TAPS / 2 };
  return {
    suite: 'convolution',
    name: `convolution-${n1}x${n2}x${n3}`,
    published: isPublished ? publishedConvolution(convolution.cost(parameters, 4).flops) : [],
    open: (backend) =>
      openOperator(backend, convolution, parameters, {
        arrays: { input: someNumbers(points, 1, 1), output: points },
        output: 'output',
      }),
  };
}

/** The published size, and one that no cache holds. */
export const convolutionBenchmarks: readonly Benchmark[] = [volume(124, 132, 130, true), volume(256, 256, 256)];

export const quickConvolutionBenchmarks: readonly Benchmark[] = [volume(20, 24, 28)];
