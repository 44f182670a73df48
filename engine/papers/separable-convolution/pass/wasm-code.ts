/**
 * Generates WebAssembly for a pass of the magic filter, as the generator of [magic-filter] makes Fortran: every variant has the terms
 * of a sum in the order of the taps, so that all of one kind of multiply-add give the same bits.
 */
import {
  add,
  get,
  i32,
  I32,
  isBelow,
  moduleOf,
  multiply,
  quotient,
  remainder,
  repeat,
  scalarArithmetic,
  select,
  set,
  shuffle,
  subtract,
  vectorArithmetic,
} from '../../../compute/wasm/wasm-assembler.ts';
import type { Arithmetic, Code } from '../../../compute/wasm/wasm-assembler.ts';
import { modulo, type PassKernel, type PassWithKernel } from './description.ts';

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

/** Elements that are near both ends of a line: what blocks read that have a neighbour beyond one. */
function edgeElements({ kernel, taps }: PassWithKernel): number {
  return 2 * (kernel.lines + taps.length - 2);
}

/** What the columns may take that are read again for the next lines: half of a core's own cache. */
const CACHE_BYTES = 2 ** 18;
const CACHE_LINE_BYTES = 64;

/**
 * Columns of which a block of lines is made before the next lines are. Transposed, a line of the output is as long as all columns, and
 * lines are so far apart that few stay in a cache: a long stretch of each is written at a time.
 */
function columnsAtOnce({ kernel: { columns }, before, length, transposed }: PassWithKernel, bytes: number): number {
  if (!transposed) return columns;
  const most = Math.max(CACHE_LINE_BYTES, CACHE_BYTES / length) / bytes;
  return columns * Math.max(1, Math.floor(Math.min(most, before) / columns));
}

/** Elements of work space: the edges of each column, and a line of columns that are not contiguous. */
export function workElements(pass: PassWithKernel, elementBytes: number): number {
  return columnsAtOnce(pass, elementBytes) * Math.max(1, edgeElements(pass)) + (pass.after > 1 ? pass.length : 0);
}

/** Locals by name, numbered as they are first asked for; the input and the output are the first. */
function createLocals() {
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

type Locals = ReturnType<typeof createLocals>;

/** for (counter = 0; counter < count; counter += step) */
function forEach(counter: number, count: number, step: number, code: Code): Code {
  const next = set(counter, add(get(counter), i32(step)));
  return [set(counter, i32(0)), repeat([code, next], isBelow(get(counter), i32(count)))];
}

/** The first index of a block: the last one moves back until it fits. */
function fitted(counter: number, count: number, block: number): Code {
  if (count % block === 0) return get(counter);
  return select(isBelow(get(counter), i32(count - block)), get(counter), i32(count - block));
}

/** The element of a column from which its line starts, [before][·][after]. */
function lineStart(column: number, { length, after }: PassWithKernel): Code {
  if (after === 1) return multiply(get(column), i32(length));
  const outer = quotient(get(column), i32(after));
  return add(multiply(outer, i32(length * after)), remainder(get(column), i32(after)));
}

/** The address at which the output of a column and line is. */
function outputAddress(pass: PassWithKernel, locals: Locals, bytes: number, column: number, line: Code): Code {
  const { before, after, transposed } = pass;
  const element = transposed
    ? add(multiply(line, i32(before)), get(column))
    : add(lineStart(column, pass), multiply(line, i32(after)));
  return add(get(locals.output), multiply(element, i32(bytes)));
}

/** The formula: Σ_q taps[q] · in((i + q − lower) mod n). */
function simpleBody(pass: PassWithKernel, { elementBytes: bytes, weights }: PassTarget, locals: Locals): Code {
  const { before, length, after, taps, lower } = pass;
  const scalar = scalarArithmetic(bytes);
  const [column, line, tap, start] = ['column', 'line', 'tap', 'start'].map((name) => locals.numberOf(name));
  const sum = locals.numberOf('sum', scalar.type);
  // Never negative.
  const shift = modulo(-lower, length);
  const neighbour = remainder(add(add(get(line), get(tap)), i32(shift)), i32(length));
  const source = add(get(start), multiply(neighbour, i32(after * bytes)));
  const weight = scalar.load(add(i32(weights), multiply(get(tap), i32(bytes))), 0);
  return forEach(column, before * after, 1, [
    set(start, add(get(locals.input), multiply(lineStart(column, pass), i32(bytes)))),
    forEach(line, length, 1, [
      set(sum, scalar.zero),
      forEach(tap, taps.length, 1, set(sum, scalar.multiplyAdd(weight, scalar.load(source, 0), get(sum)))),
      scalar.store(outputAddress(pass, locals, bytes, column, get(line)), 0, get(sum)),
    ]),
  ]);
}

/**
 * The sums of a block, each a vector of lines. A value that was loaded is added to all sums that it belongs to, and a weight is loaded
 * when the first of them needs it. A loop adds few taps at a time: the engine loads what a stretch of code without a jump needs before it
 * computes, and of a longer one that is more than the registers hold.
 */
function blockSums({ kernel, taps }: PassWithKernel, target: PassTarget, arithmetic: Arithmetic, locals: Locals): Code {
  const { columns, lines } = kernel;
  const { lanes, elementBytes, type, zero, load, spread, multiplyAdd } = arithmetic;
  const sources = Array.from({ length: columns }, (_, c) => locals.numberOf(`source ${c}`));
  const value = locals.numberOf('value', type);
  /** Bytes of the weights before the next one. */
  const tap = locals.numberOf('tap');
  const weight = (q: number): number => locals.numberOf(`weight ${q}`, type);
  const addTaps = (count: number): Code => {
    const code: Code[] = [];
    for (let offset = 0; offset < lines - lanes + count; offset++) {
      const at = offset * elementBytes;
      if (offset < count) code.push(set(weight(offset), spread(get(tap), target.weights + at)));
      for (const [c, source] of sources.entries()) {
        code.push(set(value, load(get(source), at)));
        for (let v = 0; v < lines / lanes; v++) {
          const q = offset - lanes * v;
          const sum = sumOf(locals, type, c, v);
          if (q >= 0 && q < count) code.push(set(sum, multiplyAdd(get(weight(q)), get(value), get(sum))));
        }
      }
    }
    return code;
  };
  const few = columns === 1 ? 4 : 2;
  const rest = taps.length % few;
  const step = i32(few * elementBytes);
  const next = sources.map((source) => set(source, add(get(source), step)));
  const count = (taps.length - rest) * elementBytes;
  return [
    eachSum(kernel, lanes, (c, v) => set(sumOf(locals, type, c, v), zero)),
    count > 0 ? forEach(tap, count, few * elementBytes, [addTaps(few), next]) : set(tap, i32(0)),
    rest > 0 ? addTaps(rest) : [],
  ];
}

function sumOf(locals: Locals, type: number, column: number, vector: number): number {
  return locals.numberOf(`sum ${column} ${vector}`, type);
}

function eachSum(
  { columns, lines }: PassKernel,
  lanes: number,
  codeOf: (column: number, vector: number) => Code,
): Code[] {
  return Array.from({ length: columns * (lines / lanes) }, (_, at) => codeOf(at % columns, Math.floor(at / columns)));
}

/** As many vectors of lines of adjacent columns, turned into vectors of columns of adjacent lines. */
function transposeLanes(vectors: readonly Code[], elementBytes: number): Code[] {
  const mix = (a: Code, b: Code, ...elements: readonly number[]): Code => shuffle(a, b, elements, elementBytes);
  if (vectors.length === 2) return [mix(vectors[0], vectors[1], 0, 2), mix(vectors[0], vectors[1], 1, 3)];
  const [a, b, c, d] = vectors;
  const low = [mix(a, b, 0, 4, 1, 5), mix(c, d, 0, 4, 1, 5)] as const;
  const high = [mix(a, b, 2, 6, 3, 7), mix(c, d, 2, 6, 3, 7)] as const;
  return [low, high].flatMap(([left, right]) => [mix(left, right, 0, 1, 4, 5), mix(left, right, 2, 3, 6, 7)]);
}

function storeBlock(pass: PassWithKernel, arithmetic: Arithmetic, locals: Locals): Code {
  const { kernel, before, length, after, transposed } = pass;
  const { lanes, elementBytes: bytes, type, store } = arithmetic;
  const to = locals.numberOf('target');
  const sum = (c: number, v: number): Code => get(sumOf(locals, type, c, v));
  if (!transposed) {
    return eachSum(kernel, lanes, (c, v) => store(get(to), (c * length + v * lanes * after) * bytes, sum(c, v)));
  }
  if (lanes === 1) return eachSum(kernel, 1, (c, line) => store(get(to), (line * before + c) * bytes, sum(c, line)));
  const groups = { ...kernel, columns: kernel.columns / lanes };
  return eachSum(groups, lanes, (group, v) =>
    transposeLanes(
      Array.from({ length: lanes }, (_, lane) => sum(group * lanes + lane, v)),
      bytes,
    ).map((turned, lane) => store(get(to), ((v * lanes + lane) * before + group * lanes) * bytes, turned)),
  );
}

/** Copies the line of a column to where it is contiguous. */
function gatherLine({ length, after }: PassWithKernel, from: number, to: number, locals: Locals, bytes: number): Code {
  const scalar = scalarArithmetic(bytes as 4 | 8);
  const line = locals.numberOf('gathered');
  const place = (start: Code, step: number): Code => add(start, multiply(get(line), i32(step * bytes)));
  return [
    forEach(line, length, 1, scalar.store(place(i32(to), 1), 0, scalar.load(place(get(from), after), 0))),
    set(from, i32(to)),
  ];
}

/** Blocks of a pattern of columns × lines. Those near an end of the line read from a copy of both ends, one after the other. */
function blockBody(pass: PassWithKernel, target: PassTarget, locals: Locals): Code {
  const { kernel, before, length, after, taps, lower } = pass;
  const { elementBytes: bytes, work } = target;
  const arithmetic = kernel.form === 'vector' ? vectorArithmetic(bytes, target.isFused) : scalarArithmetic(bytes);
  const scalar = scalarArithmetic(bytes);
  const { columns, lines } = kernel;
  const atOnce = columnsAtOnce(pass, bytes);
  const [counter, first, within, column, block, line, start, isInside] = [
    'counter',
    'first',
    'within',
    'column',
    'block',
    'line',
    'start',
    'is inside',
  ].map((name) => locals.numberOf(name));
  const edge = edgeElements(pass);
  const firstOfEdge = length - edge / 2;
  /** The address of an element of a column, `c` beyond the present one, where columns are `width` elements apart. */
  const address = (from: Code, c: number, width: number, element: Code): Code =>
    add(from, multiply(add(multiply(add(get(within), i32(c)), i32(width)), element), i32(bytes)));
  const edges = Array.from({ length: edge }, (_, e) =>
    scalar.store(
      address(i32(work), 0, edge, i32(0)),
      e * bytes,
      scalar.load(address(get(start), 0, length, i32(0)), modulo(firstOfEdge + e, length) * bytes),
    ),
  );
  // The first neighbour of line i is i − lower, beyond the edge's beginning by that; before the first line the last one comes.
  const inEdge = add(
    subtract(get(line), i32(lower + firstOfEdge)),
    select(isBelow(get(line), i32(lower)), i32(length), i32(0)),
  );
  const lastInside = length - lines - (taps.length - 1 - lower);
  const sourceOf = (c: number): Code => {
    const inLine = address(get(start), c, length, subtract(get(line), i32(lower)));
    if (edge === 0) return inLine;
    return select(get(isInside), inLine, address(i32(work), c, edge, inEdge));
  };
  const isInsideNow =
    lastInside < lower ? i32(0) : isBelow(subtract(get(line), i32(lower)), i32(lastInside - lower + 1));
  return forEach(counter, before * after, atOnce, [
    set(first, fitted(counter, before * after, atOnce)),
    set(start, add(get(locals.input), multiply(lineStart(first, pass), i32(bytes)))),
    after > 1 ? gatherLine(pass, start, work + Math.max(1, edge) * bytes, locals, bytes) : [],
    forEach(within, atOnce, 1, edges),
    forEach(block, length, lines, [
      set(line, fitted(block, length, lines)),
      set(isInside, isInsideNow),
      forEach(within, atOnce, columns, [
        set(column, add(get(first), get(within))),
        Array.from({ length: columns }, (_, c) => set(locals.numberOf(`source ${c}`), sourceOf(c))),
        blockSums(pass, target, arithmetic, locals),
        set(locals.numberOf('target'), outputAddress(pass, locals, bytes, column, get(line))),
        storeBlock(pass, arithmetic, locals),
      ]),
    ]),
  ]);
}

/** @returns a module whose `run(input, output)` makes the pass from one address to the other */
export function passModule(pass: PassWithKernel, target: PassTarget): Uint8Array<ArrayBuffer> {
  const locals = createLocals();
  const body = (pass.kernel.form === 'simple' ? simpleBody : blockBody)(pass, target, locals);
  return moduleOf(2, locals.types, target.isShared, body);
}
