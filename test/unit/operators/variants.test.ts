/** Every variant of every kernel gives the same bits, on every backend that has variants. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend, DeviceTraits, FieldKinds, KernelVariants, Operator } from '../../../engine/index.ts';
import { convolution } from '../../../engine/operators/convolution/index.ts';
import { volumeVariants, acrossVariants, planeVariants } from '../../../engine/operators/convolution/variants.ts';
import { recursiveFilter } from '../../../engine/operators/recursive-filter/index.ts';
import type { RecursiveFilterParameters } from '../../../engine/operators/recursive-filter/index.ts';
import { sweepsAlong } from '../../../engine/operators/recursive-filter/plan.ts';
import type { SweepsPlan } from '../../../engine/operators/recursive-filter/plan.ts';
import { sweepsVariants, workgroupVariants } from '../../../engine/operators/recursive-filter/variants.ts';
import { applyOperator, backends } from '../../setup/backends.ts';
import { noise } from '../../../engine/check/measures.ts';

/** An operator at some sizes, with the variants of one of its kernels. */
interface Subject {
  readonly kernel: string;
  readonly size: string;
  /** Names of the variants that a device is offered. */
  readonly names: (traits: DeviceTraits) => readonly string[];
  /** The operator's output in the variant that is chosen. */
  readonly outputOf: (backend: Backend) => Promise<Float64Array>;
  readonly sizeClass: string;
}

function subject<Parameters, Kinds extends FieldKinds & { readonly output: 'real' }, Asked, Variant>(
  operator: Operator<Parameters, Kinds>,
  parameters: Parameters,
  variants: KernelVariants<Asked, Variant>,
  asked: Asked,
  size: string,
  arrays: { readonly [Name in keyof Kinds]: ArrayLike<number> | number },
): Subject {
  return {
    kernel: variants.kernel,
    size,
    sizeClass: variants.sizeClass(asked),
    names: (traits) => Object.keys(variants.offered(asked, traits)),
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
  ).map(([n1, n2, n3, width]) => {
    const parameters = { n1, n2, n3, taps: taps(width), lower: Math.floor((width - 1) / 2) };
    return subject(convolution, parameters, variants, parameters, `${n1} × ${n2} × ${n3}, ${width} taps`, {
      input: noise(n1 * n2 * n3),
      output: n1 * n2 * n3,
    });
  });
}

function sweeps<Variant>(variants: KernelVariants<SweepsPlan, Variant>): readonly Subject[] {
  return (
    [
      ['x', 131, 37, 1, false],
      ['x', 70, 3, 2, true],
      ['x', 1300, 5, 1, false],
      ['x', 1300, 1, 1, true],
      ['y', 37, 131, 2, false],
      ['y', 5, 1, 3, true],
    ] as const
  ).map(([axis, nx, ny, batch, transpose]) => {
    const parameters: RecursiveFilterParameters = {
      nx,
      ny: axis === 'y' ? Math.max(2, ny) : ny,
      batch,
      sigmaX: axis === 'x' ? 3 : 0,
      sigmaY: axis === 'y' ? 3 : 0,
      iterations: 4,
      form: 'sweeps',
      transpose,
      boundaryX: 'free',
      boundaryY: 'free',
    };
    const points = parameters.nx * parameters.ny * batch;
    return subject(
      recursiveFilter,
      parameters,
      variants,
      sweepsAlong(parameters, axis),
      `${batch} × ${parameters.ny} × ${nx} along ${axis}${transpose ? ', transposed' : ''}`,
      { input: noise(points), output: points },
    );
  });
}

const SUBJECTS: Readonly<Record<string, readonly Subject[]>> = {
  wasm: [...volumes(volumeVariants), ...sweeps(sweepsVariants)],
  webgpu: [...volumes(planeVariants), ...volumes(acrossVariants), ...sweeps(workgroupVariants)],
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
    const outputs: Record<string, Float64Array> = {};
    for (const variant of offered) {
      tuning.choices.choose(kernel, sizeClass, variant);
      outputs[variant] = await outputOf(backend);
    }
    tuning.choices.choose(kernel, sizeClass, undefined);
    const first = outputs[offered[0]];
    expect(first.every(Number.isFinite)).toBe(true);
    // Equal to the last bit: 0 and −0 are distinguished.
    expect(outputs).toEqual(Object.fromEntries(offered.map((variant) => [variant, first])));
  });

  it('are more than one of each kernel', () => {
    const { tuning } = backend;
    const kernels = new Map<string, Set<string>>();
    for (const { kernel, names } of SUBJECTS[name]) {
      const seen = kernels.get(kernel) ?? new Set();
      if (tuning) for (const each of names(tuning.traits)) seen.add(each);
      kernels.set(kernel, seen);
    }
    expect([...kernels].filter(([, seen]) => seen.size < 2)).toEqual([]);
  });
});
