/**
 * What an operator's WASM part is written with: kernels of the compiled module by name, parameter blocks and memory that live as
 * long as the prepared operator. Fields come as views on the backend's memory; a kernel gets their addresses.
 */
import type { ArraysOf, FieldKinds } from '../field.ts';
import type { KernelVariants } from '../variants.ts';
import type { BlockMembers, BlockValues, ParameterBlock } from '../parameter-block.ts';

/** A kernel with its parameters. */
export interface WasmProgram<Members extends BlockMembers> {
  /** Changes parameters for the runs from now on. */
  set(values: Partial<BlockValues<Members>>): void;
  /**
   * Runs the kernel for the parts 0 … parts − 1, on all threads and in any order: no part may read what another one writes.
   * The number of parts must follow from the parameters alone, so that the numbers do not depend on the threads.
   */
  run(parts: number): void;
}

/** What a generated kernel may use. */
interface GeneratedFor {
  /** Whether the memory is shared between threads. */
  readonly isShared: boolean;
  /** Whether multiply-adds are fused, as in the compiled kernels. */
  readonly isFused: boolean;
}

/** What an operator prepares with. Everything it hands out is disposed of with the prepared operator. */
export interface WasmBuilder {
  /**
   * @param kernel exported name of the kernel
   * @param values of the members that are known now; the others are set before each run
   * @param scratchBytes work space of one part, undefined at its beginning
   */
  program<Members extends BlockMembers>(
    kernel: string,
    block: ParameterBlock<Members>,
    values: Partial<BlockValues<Members>>,
    scratchBytes?: number,
  ): WasmProgram<Members>;
  /**
   * A kernel that is generated for the parameters at hand, and runs on the thread that owns the backend alone.
   *
   * @param moduleFor writes a module that imports `env.memory` and exports `run(input, output)`, which takes addresses
   */
  generated(moduleFor: (machine: GeneratedFor) => Uint8Array<ArrayBuffer>): (input: number, output: number) => void;
  /** @returns the variant that this machine takes for these parameters */
  variant<Parameters, Variant>(variants: KernelVariants<Parameters, Variant>, parameters: Parameters): Variant;
  /** @returns memory for `length` reals, zeros at first */
  reals(label: string, length: number): Allocated<Float32Array>;
  /** @returns memory for `length` float64 numbers, zeros at first */
  doubles(label: string, length: number): Allocated<Float64Array>;
  /** @returns memory for `length` words, zeros at first */
  words(label: string, length: number): Allocated<Uint32Array>;
  /** @returns the address of a copy of the values, rounded to float32 */
  realTable(label: string, values: ArrayLike<number>): number;
  /** @returns the address of a copy of the words */
  wordTable(label: string, values: ArrayLike<number>): number;
}

export interface Allocated<View> {
  readonly address: number;
  /** As it is now: memory that is not shared moves when it grows. */
  readonly view: () => View;
}

/**
 * An operator's WASM part: prepares once, then runs on any fields it is given. Undefined for parameters that it has no form for:
 * there the reference form runs on the backend's memory.
 */
export type WasmOperator<Parameters, Kinds extends FieldKinds> = (
  builder: WasmBuilder,
  parameters: Parameters,
) => ((arrays: ArraysOf<Kinds>) => void) | undefined;

/** Parts of a one-dimensional task of about `grain` items each; at least one. */
export function partsFor(items: number, grain: number): number {
  return Math.max(1, Math.ceil(items / grain));
}

/** @returns where fields are, by name: what the pointers of a block are set to */
export function addressesOf<Name extends string>(
  arrays: Readonly<Record<Name, { readonly byteOffset: number }>>,
): Record<Name, number> {
  const places = Object.entries<{ readonly byteOffset: number }>(arrays).map(([name, { byteOffset }]) => [
    name,
    byteOffset,
  ]);
  return Object.fromEntries(places) as Record<Name, number>;
}

/**
 * A kernel of its own for an operator: its parameters have a pointer of the name of each field.
 *
 * @param parts of every run
 */
export function onFields<Members extends BlockMembers, Kinds extends FieldKinds>(
  program: WasmProgram<Members>,
  parts: number,
): (arrays: ArraysOf<Kinds>) => void {
  return (arrays) => {
    program.set(addressesOf(arrays) as Partial<BlockValues<Members>>);
    program.run(parts);
  };
}
