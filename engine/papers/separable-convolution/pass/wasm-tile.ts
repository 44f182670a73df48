/**
 * What the code of every pass is made with; and a transposed pass in vectors of adjacent columns. Columns are turned into the rows of a
 * tile that stays in a core's cache; sums are made of whole vectors of it and stored as they are, a row of the tile at a time.
 */
import {
  add,
  get,
  i32,
  I32,
  isBelow,
  multiply,
  repeat,
  select,
  set,
  shuffle,
  vectorArithmetic,
  type Arithmetic,
  type Code,
} from '../../../compute/wasm/wasm-assembler.ts';
import type { PassWithKernel } from './variants.ts';

/** What the code of a pass is made with, whatever its kernel. */
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
const CACHE_LINE_BYTES = 64;

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

/** As many vectors of lines of adjacent columns, turned into vectors of columns of adjacent lines. */
function transposeLanes(vectors: readonly Code[], elementBytes: number): Code[] {
  const mix = (a: Code, b: Code, ...elements: readonly number[]): Code => shuffle(a, b, elements, elementBytes);
  if (vectors.length === 2) return [mix(vectors[0], vectors[1], 0, 2), mix(vectors[0], vectors[1], 1, 3)];
  const [a, b, c, d] = vectors;
  const low = [mix(a, b, 0, 4, 1, 5), mix(c, d, 0, 4, 1, 5)] as const;
  const high = [mix(a, b, 2, 6, 3, 7), mix(c, d, 2, 6, 3, 7)] as const;
  return [low, high].flatMap(([left, right]) => [mix(left, right, 0, 1, 4, 5), mix(left, right, 2, 3, 6, 7)]);
}

/** Bytes from one row of a tile to the next: an odd number of cache lines, so that few rows share a place in a cache. */
function rowBytes(pass: PassWithKernel, bytes: number): number {
  const lines = Math.ceil((columnsAtOnce(pass, bytes) * bytes) / CACHE_LINE_BYTES);
  return CACHE_LINE_BYTES * (lines | 1);
}

/** What a tile takes: rows for the lines of its columns, and before and after them those that the ends need. */
export function tileBytes(pass: PassWithKernel, bytes: number): number {
  return (pass.length + pass.taps.length - 1) * rowBytes(pass, bytes);
}

/** Turns columns from `start` on into the rows of a tile, as many at a time as a cache line holds. */
function fillTile(pass: PassWithKernel, target: PassTarget, arithmetic: Arithmetic, locals: Locals): Code {
  const { length, taps, lower } = pass;
  const { work, elementBytes: bytes } = target;
  const { lanes, type, load, store } = arithmetic;
  const atOnce = columnsAtOnce(pass, bytes);
  const row = rowBytes(pass, bytes);
  const together = [4, 2, 1].map((groups) => groups * lanes).find((columns) => atOnce % columns === 0) ?? lanes;
  const [start, within, counter, from, to] = ['start', 'within', 'counter', 'from', 'to'].map((name) =>
    locals.numberOf(name),
  );
  const move = (lines: number): Code => [
    set(from, add(get(from), i32(lines * bytes))),
    set(to, add(get(to), i32(lines * row))),
  ];
  const turn = Array.from({ length: together / lanes }, (_, group) => {
    const vectors = Array.from({ length: lanes }, (__, c) => locals.numberOf(`column ${c}`, type));
    return [
      vectors.map((vector, c) => set(vector, load(get(from), (group * lanes + c) * length * bytes))),
      transposeLanes(vectors.map(get), bytes).map((turned, l) => store(get(to), l * row + group * 16, turned)),
    ];
  });
  const rest = length % lanes;
  const copyRow = (r: number, s: number): Code =>
    forEach(within, atOnce * bytes, 16, store(get(within), work + r * row, load(get(within), work + s * row)));
  return [
    forEach(within, atOnce, together, [
      set(from, add(get(start), multiply(get(within), i32(length * bytes)))),
      set(to, add(i32(work + lower * row), multiply(get(within), i32(bytes)))),
      forEach(counter, length - rest, lanes, [turn, move(lanes)]),
      rest > 0 ? [move(rest - lanes), turn] : [],
    ]),
    Array.from({ length: lower }, (_, r) => copyRow(lower - 1 - r, lower - 1 - r + length)),
    Array.from({ length: taps.length - 1 - lower }, (_, r) => copyRow(lower + length + r, lower + r)),
  ];
}

/** Taps that a loop adds at a time: engines load what they need of a longer stretch of code first, more than the registers hold. */
const FEW = 2;

/** Sums of a block whose vectors are adjacent columns of a tile. A value that was loaded is added to all sums that it belongs to. */
function tileSums(pass: PassWithKernel, target: PassTarget, arithmetic: Arithmetic, locals: Locals): Code {
  const { kernel, taps } = pass;
  const { lanes, elementBytes: bytes, type, zero, load, spread, multiplyAdd } = arithmetic;
  const groups = kernel.columns / lanes;
  const row = rowBytes(pass, bytes);
  const [source, tap] = ['source', 'tap'].map((name) => locals.numberOf(name));
  const value = locals.numberOf('value', type);
  const weight = (q: number): number => locals.numberOf(`weight ${q}`, type);
  const addTaps = (count: number): Code =>
    Array.from({ length: kernel.lines - 1 + count }, (_, r) => [
      r < count ? set(weight(r), spread(get(tap), target.weights + r * bytes)) : [],
      Array.from({ length: groups }, (__, c) => [
        set(value, load(get(source), r * row + c * 16)),
        Array.from({ length: kernel.lines }, (___, l) => {
          const q = r - l;
          const sum = sumOf(locals, type, c, l);
          return q >= 0 && q < count ? set(sum, multiplyAdd(get(weight(q)), get(value), get(sum))) : [];
        }),
      ]),
    ]);
  const rest = taps.length % FEW;
  const count = (taps.length - rest) * bytes;
  return [
    Array.from({ length: groups * kernel.lines }, (_, at) =>
      set(sumOf(locals, type, at % groups, Math.floor(at / groups)), zero),
    ),
    count > 0
      ? forEach(tap, count, FEW * bytes, [addTaps(FEW), set(source, add(get(source), i32(FEW * row)))])
      : set(tap, i32(0)),
    rest > 0 ? addTaps(rest) : [],
  ];
}

/** Blocks of a pattern of columns × lines whose vectors are adjacent columns, from a tile of columns that were turned. */
export function tileBody(pass: PassWithKernel, target: PassTarget, locals: Locals): Code {
  const { kernel, before, length } = pass;
  const { elementBytes: bytes, work } = target;
  const arithmetic = vectorArithmetic(bytes, target.isFused);
  const { lanes, type, store } = arithmetic;
  const { columns, lines } = kernel;
  const atOnce = columnsAtOnce(pass, bytes);
  const row = rowBytes(pass, bytes);
  const [counter, first, within, block, line, start, source, to] = [
    'tiles',
    'first',
    'within',
    'block',
    'line',
    'start',
    'source',
    'target',
  ].map((name) => locals.numberOf(name));
  return forEach(counter, before, atOnce, [
    set(first, fitted(counter, before, atOnce)),
    set(start, add(get(locals.input), multiply(get(first), i32(length * bytes)))),
    fillTile(pass, target, arithmetic, locals),
    forEach(block, length, lines, [
      set(line, fitted(block, length, lines)),
      forEach(within, atOnce, columns, [
        set(source, add(add(i32(work), multiply(get(line), i32(row))), multiply(get(within), i32(bytes)))),
        set(
          to,
          add(
            get(locals.output),
            multiply(add(multiply(get(line), i32(before)), add(get(first), get(within))), i32(bytes)),
          ),
        ),
        tileSums(pass, target, arithmetic, locals),
        Array.from({ length: columns / lanes }, (_, c) =>
          Array.from({ length: lines }, (__, l) =>
            store(get(to), (l * before + c * lanes) * bytes, get(sumOf(locals, type, c, l))),
          ),
        ),
      ]),
    ]),
  ]);
}
