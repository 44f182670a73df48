/**
 * Writes WebAssembly modules of one function, for kernels that are generated for the parameters at hand. Code is nested lists of
 * bytes in the order in which the machine of the specification takes them: operands first.
 */

/** A byte, or code in order. */
export type Code = number | readonly Code[];

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return [...bytes, rest];
}

/** @param value a 32-bit integer */
function signed(value: number): number[] {
  const bytes: number[] = [];
  let rest = value | 0;
  while (rest < -64 || rest > 63) {
    bytes.push((rest & 127) | 128);
    rest >>= 7;
  }
  return [...bytes, rest & 127];
}

function bytesOf(code: Code): number[] {
  return typeof code === 'number' ? [code] : (code.flat(Infinity as 1) as number[]);
}

const SIMD = 0xfd;

function simd(opcode: number, ...immediates: readonly number[]): number[] {
  return [SIMD, ...unsigned(opcode), ...immediates];
}

/** Types of locals; those of numbers are in `Arithmetic`. */
export const I32 = 0x7f;
const F64 = 0x7c;
const F32 = 0x7d;
const V128 = 0x7b;

export const i32 = (value: number): Code => [0x41, signed(value)];
export const get = (local: number): Code => [0x20, unsigned(local)];
export const set = (local: number, value: Code): Code => [value, 0x21, unsigned(local)];

const binary =
  (...opcode: readonly number[]) =>
  (a: Code, b: Code): Code => [a, b, opcode];

export const add = binary(0x6a);
export const subtract = binary(0x6b);
export const multiply = binary(0x6c);
export const quotient = binary(0x6e);
export const remainder = binary(0x70);
export const isBelow = binary(0x49);
/** @returns `a` where the condition is not 0, else `b` */
export const select = (condition: Code, a: Code, b: Code): Code => [a, b, condition, 0x1b];

/** Does the code again as long as the condition after it is not 0. */
export const repeat = (code: Code, condition: Code): Code => [0x03, 0x40, code, condition, 0x0d, 0x00, 0x0b];

/** How elements are loaded and added, one or as many as a vector holds. */
export interface Arithmetic {
  readonly type: number;
  /** Elements of a value. */
  readonly lanes: number;
  readonly elementBytes: 4 | 8;
  readonly zero: Code;
  /** @param offset bytes beyond the address */
  readonly load: (address: Code, offset: number) => Code;
  /** One element, in all lanes. */
  readonly spread: (address: Code, offset: number) => Code;
  readonly store: (address: Code, offset: number, value: Code) => Code;
  /** a b + c, rounded once where it is fused, else twice. */
  readonly multiplyAdd: (a: Code, b: Code, c: Code) => Code;
}

function access(opcode: readonly number[], alignment: number) {
  return {
    load: (address: Code, offset: number): Code => [address, opcode, alignment, unsigned(offset)],
    store: (address: Code, offset: number, value: Code): Code => [address, value, opcode, alignment, unsigned(offset)],
  };
}

/** Element by element. */
export function scalarArithmetic(elementBytes: 4 | 8): Arithmetic {
  const [type, loading, storing, adding, multiplying, constant] =
    elementBytes === 8 ? [F64, 0x2b, 0x39, 0xa0, 0xa2, 0x44] : [F32, 0x2a, 0x38, 0x92, 0x94, 0x43];
  const alignment = elementBytes === 8 ? 3 : 2;
  const { load } = access([loading], alignment);
  return {
    type,
    lanes: 1,
    elementBytes,
    zero: [constant, Array.from({ length: elementBytes }, () => 0)],
    load,
    spread: load,
    store: access([storing], alignment).store,
    multiplyAdd: (a, b, c) => [c, a, b, multiplying, adding],
  };
}

/** @param isFused whether multiply-adds may be fused: it takes relaxed SIMD */
export function vectorArithmetic(elementBytes: 4 | 8, isFused: boolean): Arithmetic {
  const [spreading, adding, multiplying, fused] =
    elementBytes === 8 ? [0x0a, 0xf0, 0xf2, 0x107] : [0x09, 0xe4, 0xe6, 0x105];
  return {
    type: V128,
    lanes: 16 / elementBytes,
    elementBytes,
    zero: simd(0x0c, ...Array.from({ length: 16 }, () => 0)),
    load: access(simd(0x00), 0).load,
    spread: access(simd(spreading), 0).load,
    store: access(simd(0x0b), 0).store,
    multiplyAdd: (a, b, c) => (isFused ? [a, b, c, simd(fused)] : [c, a, b, simd(multiplying), simd(adding)]),
  };
}

/** @param elements of a then b, by their index in both */
export function shuffle(a: Code, b: Code, elements: readonly number[], elementBytes: number): Code {
  const bytes = elements.flatMap((element) =>
    Array.from({ length: elementBytes }, (_, byte) => element * elementBytes + byte),
  );
  return [a, b, simd(0x0d, ...bytes)];
}

function section(id: number, ...content: readonly Code[]): number[] {
  const bytes = bytesOf(content);
  return [id, ...unsigned(bytes.length), ...bytes];
}

function text(name: string): number[] {
  return [name.length, ...Array.from(name, (character) => character.charCodeAt(0))];
}

/** `\0asm`, version 1 */
const HEADER = [0, 97, 115, 109, 1, 0, 0, 0] as const;
const LARGEST_PAGES = 65_536;

/**
 * @param parameters how many there are, all i32; they are the first locals
 * @param locals types of those that follow, zeros at first
 * @param isShared whether its memory is shared between threads
 * @returns a module that imports `env.memory` and exports the function `run`
 */
export function moduleOf(
  parameters: number,
  locals: readonly number[],
  isShared: boolean,
  body: Code,
): Uint8Array<ArrayBuffer> {
  const limits = isShared ? [3, 1, unsigned(LARGEST_PAGES)] : [0, 1];
  const types = Array.from({ length: parameters }, () => I32);
  const code = bytesOf([unsigned(locals.length), locals.map((type) => [1, type]), body, 0x0b]);
  return Uint8Array.from([
    ...HEADER,
    ...section(1, 1, 0x60, unsigned(parameters), types, 0),
    ...section(2, 1, text('env'), text('memory'), 2, limits),
    ...section(3, 1, 0),
    ...section(7, 1, text('run'), 0, 0),
    ...section(10, 1, unsigned(code.length), code),
  ]);
}
