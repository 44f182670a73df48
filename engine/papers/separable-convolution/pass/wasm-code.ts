/**
 * Generates WebAssembly for a pass of the magic filter, as the generator of [magic-filter] makes Fortran: every variant has the terms
 * of a sum in the order of the taps, so that all of one kind of multiply-add give the same bits.
 */
import {
  add,
  get,
  i32,
  isBelow,
  moduleOf,
  multiply,
  quotient,
  remainder,
  scalarArithmetic,
  select,
  set,
  subtract,
  vectorArithmetic,
  type Arithmetic,
  type Code,
} from '../../../compute/wasm/wasm-assembler.ts';
import type { WasmBuilder, WasmOperator } from '../../../compute/wasm/program.ts';
import {
  modulo,
  fittedKernel,
  inTurn,
  passesOf,
  lanesOf,
  passVariants,
  type PassKernel,
  type PassWithKernel,
  type Pass,
  type PassElement,
  type PassesFields,
  type PassesParameters,
} from './variants.ts';
import {
  columnsAtOnce,
  createLocals,
  fitted,
  forEach,
  sumOf,
  tileBody,
  tileBytes,
  type Locals,
  type PassTarget,
} from './wasm-tile.ts';

/** Elements that are near both ends of a line: what blocks read that have a neighbour beyond one. */
function edgeElements({ kernel, taps }: PassWithKernel): number {
  return 2 * (kernel.lines + taps.length - 2);
}

const isInTiles = ({ kernel, transposed }: PassWithKernel): boolean => kernel.form === 'vector' && transposed;

/** Elements of work space: a tile; or the edges of each column, and a line of columns that are not contiguous. */
function workElements(pass: PassWithKernel, elementBytes: number): number {
  if (isInTiles(pass)) return tileBytes(pass, elementBytes) / elementBytes;
  return columnsAtOnce(pass, elementBytes) * Math.max(1, edgeElements(pass)) + (pass.after > 1 ? pass.length : 0);
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

function eachSum(
  { columns, lines }: PassKernel,
  lanes: number,
  codeOf: (column: number, vector: number) => Code,
): Code[] {
  return Array.from({ length: columns * (lines / lanes) }, (_, at) => codeOf(at % columns, Math.floor(at / columns)));
}

function storeBlock(pass: PassWithKernel, arithmetic: Arithmetic, locals: Locals): Code {
  const { kernel, before, length, after, transposed } = pass;
  const { lanes, elementBytes: bytes, type, store } = arithmetic;
  const to = locals.numberOf('target');
  const [columnStep, lineStep] = transposed ? [1, before] : [length, after];
  return eachSum(kernel, lanes, (c, v) =>
    store(get(to), (c * columnStep + v * lanes * lineStep) * bytes, get(sumOf(locals, type, c, v))),
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
function passModule(pass: PassWithKernel, target: PassTarget): Uint8Array<ArrayBuffer> {
  const locals = createLocals();
  const inBlocks = isInTiles(pass) ? tileBody : blockBody;
  const body = (pass.kernel.form === 'simple' ? simpleBody : inBlocks)(pass, target, locals);
  return moduleOf(2, locals.types, target.isShared, body);
}

export function passesOnWasm(element: PassElement): WasmOperator<PassesParameters, PassesFields> {
  const elementBytes = element === 'double' ? 8 : 4;
  const numbers = (builder: WasmBuilder, label: string, length: number) =>
    element === 'double' ? builder.doubles(label, length) : builder.reals(label, length);
  return (builder, parameters) => {
    const weights = numbers(builder, 'convolution-passes.taps', parameters.taps.length);
    weights.view().set(parameters.taps);
    const generate = (pass: Pass): ((input: number, output: number) => void) => {
      const asked = parameters.kernel ?? builder.variant(passVariants.wasm[element], { pass, element });
      const withKernel = { ...pass, kernel: fittedKernel(pass, asked, lanesOf(element)) };
      const work = numbers(builder, 'convolution-passes.work', workElements(withKernel, elementBytes)).address;
      return builder.generated((machine) =>
        passModule(withKernel, { ...machine, elementBytes, weights: weights.address, work }),
      );
    };
    const { n1, n2, n3, axes } = parameters;
    const between = numbers(builder, 'convolution-passes.between', axes === 1 ? 1 : n1 * n2 * n3).address;
    const run = inTurn(passesOf(parameters).map(generate), between);
    return ({ input, output }) => run({ input: input.byteOffset, output: output.byteOffset });
  };
}
