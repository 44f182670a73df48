/** A benchmark in the variants of its kernels. */
import { describe, expect, it } from 'vitest';
import { benchmarkNamed, largestError, resultOf, variantsOf } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';

/** On a processor a small volume is in cache whole, and has one form. */
const [small, large] = ['convolution-20x24x28', 'convolution-124x132x130'].map(benchmarkNamed);

describe.each(backends)('variants on $name', ({ name, open }) => {
  it('are benchmarks of their own with the same result, and leave the choices as they were', async () => {
    const volume = name === 'wasm' ? large : small;
    if (!volume) throw new Error('the benchmark is gone');
    const backend = await open();
    const variants = variantsOf(volume, backend);
    // The reference has one form of each kernel.
    expect(variants.length > 1).toBe(name !== 'reference');
    expect(new Set(variants.map((variant) => variant.name)).size).toBe(variants.length);
    const choices = backend.tuning?.choices;
    const expected = await resultOf(backend, volume);
    for (const { kernel, sizeClass } of volume.variants?.(backend) ?? []) choices?.choose(kernel, sizeClass, 'kept');
    for (const variant of variants) {
      expect(variant).toMatchObject({ suite: 'convolution', variantOf: volume.name });
      expect(largestError(await resultOf(backend, variant), expected)).toBe(0);
    }
    for (const { kernel, sizeClass } of volume.variants?.(backend) ?? []) {
      expect(choices?.of(kernel, sizeClass)).toBe('kept');
    }
    backend.dispose();
  });
});
