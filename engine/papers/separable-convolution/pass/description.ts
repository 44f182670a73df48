/** One description of a pass of the magic filter [magic-filter], from which its kernels are generated for wasm and WGSL. */
import type { ConvolutionParameters, Taps } from '../../../operators/convolution/index.ts';

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
  if (form === 'simple' || (form === 'vector' && after > 1)) return SIMPLE;
  const step = form === 'vector' ? lanes : 1;
  const columnStep = transposed ? step : 1;
  const fitted = {
    form,
    columns: after > 1 ? 1 : fitting(columns, before, columnStep),
    lines: fitting(lines, length, step),
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
