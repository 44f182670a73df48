/** A benchmark in each variant of a kernel that a backend offers: the tables of patterns and unrollings that papers have. */
import type { Backend } from '../compute/backend.ts';
import type { Benchmark, VariantChoice } from './benchmark.ts';

/** The benchmark with one variant chosen, whatever was chosen before, which holds again once it is open. */
function withVariant(benchmark: Benchmark, { kernel, sizeClass, variant }: VariantChoice): Benchmark {
  const role = kernel.slice(kernel.indexOf('.') + 1);
  return {
    ...benchmark,
    name: `${benchmark.name}-${role}-${variant}`,
    table: `${benchmark.table ?? benchmark.suite}: variants of its kernels`,
    parameters: { ...benchmark.parameters, kernel: role, variant },
    variantOf: benchmark.name,
    async open(backend) {
      const choices = backend.tuning?.choices;
      const before = choices?.of(kernel, sizeClass);
      choices?.choose(kernel, sizeClass, variant);
      try {
        return await benchmark.open(backend);
      } finally {
        choices?.choose(kernel, sizeClass, before);
      }
    },
  };
}

/** @returns the benchmark in all variants that its kernels have on this backend; none if there is one form of each */
export function variantsOf(benchmark: Benchmark, backend: Backend): readonly Benchmark[] {
  return (benchmark.variants?.(backend) ?? []).map((choice) => withVariant(benchmark, choice));
}
