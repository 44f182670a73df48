/** One description of a pass of the magic filter [magic-filter], from which its kernels are generated for wasm and WGSL. */
import type { ConvolutionParameters, Taps } from '../../../operators/convolution/index.ts';
import { sizeClassOf, type DeviceTraits, type KernelVariants } from '../../../compute/variants.ts';

/**
 * How a pass is computed. `simple`: one output after the other, as the formula is written. `scalar`: a block of outputs at once, number
 * by number. `vector`: a block in vectors. On a GPU an invocation has a block, in both forms, and reads from workgroup memory.
 */
type PassForm = 'simple' | 'scalar' | 'vector';

/** The pattern of a block: its outputs are those of so many lines of adjacent columns. */
export interface PassKernel {
  readonly form: PassForm;
  readonly columns: number;
  readonly lines: number;
}

export const SIMPLE: PassKernel = { form: 'simple', columns: 1, lines: 1 };

/** A pass over an array [before][length][after] along `length`, periodic: its columns are before × after, each of `length` lines. */
export interface Pass extends Taps {
  readonly before: number;
  readonly length: number;
  /** 1 where the output is transposed. */
  readonly after: number;
  /** Whether the output is [length][before], so that the next pass reads along the fastest axis again. */
  readonly transposed: boolean;
}

export interface PassWithKernel extends Pass {
  readonly kernel: PassKernel;
}

/** @returns the largest multiple of `unit` that is at most both numbers */
function fitting(count: number, most: number, unit: number): number {
  return unit * Math.floor(Math.min(count, most) / unit);
}

/**
 * @param lanes outputs of a vector
 * @returns the kernel with a block that the array has room for; a simpler one if vectors do not fit
 */
export function fittedKernel(
  { before, after, length, transposed }: Pass,
  { form, columns, lines }: PassKernel,
  lanes: number,
): PassKernel {
  const isVector = form === 'vector';
  if (form === 'simple' || (isVector && (after > 1 || length < lanes))) return SIMPLE;
  const fitted = {
    form,
    columns: after > 1 ? 1 : fitting(columns, before, isVector && transposed ? lanes : 1),
    lines: fitting(lines, length, isVector && !transposed ? lanes : 1),
  };
  return fitted.columns > 0 && fitted.lines > 0 ? fitted : SIMPLE;
}

export type PassElement = 'real' | 'double';

/** The passes over a volume [n1, n2, n3], n3 fastest. */
export interface PassesParameters extends ConvolutionParameters {
  /** 1: along the fastest axis alone. */
  readonly axes: 1 | 3;
  readonly transposed: boolean;
  /** Undefined: what the machine was measured to be best at. */
  readonly kernel?: PassKernel | undefined;
}

/** Both of n1 · n2 · n3 elements, and not the same field. */
export type PassesFields = { readonly input: PassElement; readonly output: PassElement };

/** @returns the passes in their order: along n3, then n2, then n1 */
export function passesOf({ n1, n2, n3, axes, transposed, taps, lower }: PassesParameters): readonly Pass[] {
  const shapes = transposed
    ? [
        [n1 * n2, n3, 1],
        [n3 * n1, n2, 1],
        [n2 * n3, n1, 1],
      ]
    : [
        [n1 * n2, n3, 1],
        [n1, n2, n3],
        [1, n1, n2 * n3],
      ];
  return shapes.slice(0, axes).map(([before, length, after]) => ({ before, length, after, transposed, taps, lower }));
}

/**
 * Makes the passes one after the other; the result of the last is in `output`.
 *
 * @param passes one, or three
 */
export function inTurn<Memory>(
  passes: readonly ((input: Memory, output: Memory) => void)[],
  between: Memory,
): (fields: { readonly input: Memory; readonly output: Memory }) => void {
  return ({ input, output }) => {
    const places = [input, output, between, output];
    passes.forEach((pass, at) => pass(places[at], places[at + 1]));
  };
}

/** i modulo n, never negative. */
export const modulo = (i: number, n: number): number => ((i % n) + n) % n;

/** What a variant is asked for with. */
export interface PassSubject {
  readonly pass: Pass;
  readonly element: PassElement;
}

const COLUMNS = [1, 2, 4, 8] as const;
/** Sums of a block in vectors; with more they leave the registers. */
const MOST_VECTORS = 16;
/** Vectors of a block, along lines. */
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
      const [columnLanes, lineLanes] = subject.pass.transposed ? [lanes, 1] : [1, lanes];
      const patterns = COLUMNS.flatMap((columns) =>
        VECTORS.filter((lines) => columns * lines <= MOST_VECTORS).map((lines): PassKernel => ({
          form: 'vector',
          columns: columnLanes * columns,
          lines: lineLanes * lines,
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
