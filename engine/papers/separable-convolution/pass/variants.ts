/** The patterns that are measured of a pass, by backend. */
import { sizeClassOf, type DeviceTraits, type KernelVariants } from '../../../compute/variants.ts';
import { fittedKernel, SIMPLE, type Pass, type PassElement, type PassKernel } from './description.ts';

/** What a variant is asked for with. */
export interface PassSubject {
  readonly pass: Pass;
  readonly element: PassElement;
}

const COLUMNS = [1, 2, 4, 8] as const;
/** Sums of a block in vectors; with more they leave the registers. */
const MOST_VECTORS = 16;
/** Vectors of a column. */
const VECTORS = [1, 2, 3, 4, 5, 6, 8] as const;

export function lanesOf(element: PassElement): 2 | 4 {
  return element === 'double' ? 2 : 4;
}

export function nameOfKernel({ form, columns, lines }: PassKernel): string {
  return form === 'simple' ? form : `${form}-${columns}x${lines}`;
}

function sizeClass({ pass: { before, length, after, transposed, taps } }: PassSubject): string {
  return `${sizeClassOf(before, length, after)}-${taps.length}${transposed ? '-transposed' : ''}`;
}

/** The patterns that fit, the one that is expected to be quick first. */
function named({ pass, element }: PassSubject, patterns: readonly PassKernel[], first: PassKernel) {
  const lanes = lanesOf(element);
  const fitting = [first, ...patterns].map((kernel) => fittedKernel(pass, kernel, lanes));
  return Object.fromEntries(fitting.map((kernel) => [nameOfKernel(kernel), kernel]));
}

function wasmVariants(element: PassElement): KernelVariants<PassSubject, PassKernel> {
  const lanes = lanesOf(element);
  return {
    kernel: `convolution-passes.${element}`,
    sizeClass,
    offered(subject) {
      const patterns = COLUMNS.flatMap((columns) =>
        VECTORS.filter((vectors) => columns * vectors <= MOST_VECTORS).map((vectors): PassKernel => ({
          form: 'vector',
          columns,
          lines: lanes * vectors,
        })),
      );
      const columns = subject.pass.transposed ? lanes : 1;
      return named(subject, patterns, {
        form: 'vector',
        columns,
        lines: columns > 1 ? 4 : element === 'double' ? 8 : 12,
      });
    },
  };
}

/** Invocations of a workgroup along columns, and along lines. */
export const WORKGROUP_SIDE = 16;

/** Numbers of a column in workgroup memory: an odd number, so that columns are in different banks. */
export function tileStride(lines: number, taps: number): number {
  return (WORKGROUP_SIDE * lines + taps - 1) | 1;
}

function fits({ columns, lines }: PassKernel, { taps }: Pass, { workgroupBytes }: DeviceTraits): boolean {
  return 4 * WORKGROUP_SIDE * columns * tileStride(lines, taps.length) <= workgroupBytes;
}

const webgpuVariants: KernelVariants<PassSubject, PassKernel> = {
  kernel: 'convolution-passes.real',
  sizeClass,
  offered(subject, traits) {
    const patterns = COLUMNS.flatMap((columns) =>
      COLUMNS.map((lines): PassKernel => ({ form: 'scalar', columns, lines })),
    ).filter((kernel) => fits(kernel, subject.pass, traits));
    return named(subject, [...patterns, SIMPLE], { form: 'scalar', columns: 1, lines: 2 });
  },
};

export const passVariants = {
  wasm: { real: wasmVariants('real'), double: wasmVariants('double') },
  webgpu: webgpuVariants,
} as const;
