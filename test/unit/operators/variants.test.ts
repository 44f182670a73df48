/** Every variant of every kernel gives the same bits, on every backend that has variants. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend, DeviceTraits, FieldKinds, KernelVariants, Operator } from '../../../engine/index.ts';
import { convolution } from '../../../engine/operators/convolution/index.ts';
import { volumeVariants } from '../../../engine/operators/convolution/wasm-volume-variants.ts';
import { acrossVariants, planeVariants } from '../../../engine/operators/convolution/webgpu-volume-variants.ts';
import { applyOperator, backends } from '../../setup/backends.ts';
import { noise } from '../../setup/random.ts';

/** An operator at some sizes, with the variants of one of its kernels. */
interface Subject {
  readonly kernel: string;
  readonly size: string;
  /** Names of the variants that a device is offered. */
  names(traits: DeviceTraits): readonly string[];
  /** The operator's output in the variant that is chosen. */
  outputOf(backend: Backend): Promise<Float64Array>;
  sizeClass: string;
}

function subject<Parameters, Kinds extends FieldKinds & { readonly output: 'real' }, Variant>(
  operator: Operator<Parameters, Kinds>,
  variants: KernelVariants<Parameters, Variant>,
  parameters: Parameters,
  size: string,
  arrays: { readonly [Name in keyof Kinds]: ArrayLike<number> | number },
): Subject {
  return {
    kernel: variants.kernel,
    size,
    sizeClass: variants.sizeClass(parameters),
    names: (traits) => Object.keys(variants.offered(parameters, traits)),
    outputOf: async (backend) => (await applyOperator(backend, operator, parameters, arrays)).output,
  };
}

const taps = (count: number): number[] => [...noise(count)];

function volumes<Variant>(
  variants: KernelVariants<Parameters<typeof convolution.cost>[0], Variant>,
): readonly Subject[] {
  return (
    [
      [35, 37, 41, 16],
      [41, 34, 18, 16],
      [36, 70, 33, 15],
      [9, 35, 68, 16],
      [13, 9, 132, 13],
      [13, 9, 130, 5],
      [3, 2, 7, 16],
      [1, 1, 1, 3],
      [5, 21, 64, 40],
    ] as const
  ).map(([n1, n2, n3, width]) =>
    subject(
      convolution,
      variants,
      { n1, n2, n3, taps: taps(width), lower: Math.floor((width - 1) / 2) },
      `${n1} × ${n2} × ${n3}, ${width} taps`,
      { input: noise(n1 * n2 * n3), output: n1 * n2 * n3 },
    ),
  );
}

const SUBJECTS: Readonly<Record<string, readonly Subject[]>> = {
  wasm: volumes(volumeVariants),
  webgpu: [...volumes(planeVariants), ...volumes(acrossVariants)],
};

describe.each(backends.filter(({ name }) => name !== 'reference'))('the variants on $name', ({ name, open }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each(SUBJECTS[name])('of $kernel give the same bits: $size', async ({ kernel, sizeClass, names, outputOf }) => {
    const { tuning } = backend;
    if (!tuning) throw new Error('the backend has no variants');
    const offered = names(tuning.traits);
    expect(new Set(offered).size).toBe(offered.length);
    const outputs = [];
    for (const variant of offered) {
      tuning.choices.choose(kernel, sizeClass, variant);
      outputs.push(await outputOf(backend));
    }
    tuning.choices.choose(kernel, sizeClass, undefined);
    expect(outputs[0].every(Number.isFinite)).toBe(true);
    // Float64Array compares 0 and −0 as different, and every bit with them.
    for (const [index, output] of outputs.entries()) expect(output, offered[index]).toEqual(outputs[0]);
  });

  it('are more than one of each kernel', () => {
    const { tuning } = backend;
    const kernels = new Map<string, Set<string>>();
    for (const { kernel, names } of SUBJECTS[name]) {
      const seen = kernels.get(kernel) ?? new Set();
      if (tuning) for (const each of names(tuning.traits)) seen.add(each);
      kernels.set(kernel, seen);
    }
    for (const [kernel, seen] of kernels) expect(seen.size, kernel).toBeGreaterThan(1);
  });
});
