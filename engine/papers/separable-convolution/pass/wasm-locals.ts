/** What the code of a pass is made with, whatever its kernel. */
import { add, get, i32, I32, isBelow, repeat, select, set, type Code } from '../../../compute/wasm/wasm-assembler.ts';
import type { PassWithKernel } from './variants.ts';

export interface PassTarget {
  readonly elementBytes: 4 | 8;
  readonly isFused: boolean;
  /** Whether the memory is shared between threads. */
  readonly isShared: boolean;
  /** Address of the taps. */
  readonly weights: number;
  /** Address of `workElements` elements of work space. */
  readonly work: number;
}

/** What the columns may take that are read again for the next lines: a quarter of a core's own cache. */
const CACHE_BYTES = 2 ** 17;
export const CACHE_LINE_BYTES = 64;

/**
 * Columns of which a block of lines is made before the next lines are. Transposed, a line of the output is as long as all columns, and
 * lines are so far apart that few stay in a cache: a long stretch of each is written at a time.
 */
export function columnsAtOnce(
  { kernel: { columns }, before, length, transposed }: PassWithKernel,
  bytes: number,
): number {
  if (!transposed) return columns;
  const most = Math.max(2 * CACHE_LINE_BYTES, CACHE_BYTES / length) / bytes;
  return columns * Math.max(1, Math.floor(Math.min(most, before) / columns));
}

/** Locals by name, numbered as they are first asked for; the input and the output are the first. */
export function createLocals() {
  const numbers = new Map<string, number>();
  const types: number[] = [];
  const numberOf = (name: string, type = I32): number => {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    types.push(type);
    numbers.set(name, types.length + 1);
    return types.length + 1;
  };
  return { input: 0, output: 1, types, numberOf };
}

export type Locals = ReturnType<typeof createLocals>;

/** for (counter = 0; counter < count; counter += step) */
export function forEach(counter: number, count: number, step: number, code: Code): Code {
  const next = set(counter, add(get(counter), i32(step)));
  return [set(counter, i32(0)), repeat([code, next], isBelow(get(counter), i32(count)))];
}

/** The first index of a block: the last one moves back until it fits. */
export function fitted(counter: number, count: number, block: number): Code {
  if (count % block === 0) return get(counter);
  return select(isBelow(get(counter), i32(count - block)), get(counter), i32(count - block));
}

export function sumOf(locals: Locals, type: number, column: number, vector: number): number {
  return locals.numberOf(`sum ${column} ${vector}`, type);
}
