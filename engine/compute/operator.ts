/** Operators: what is computed, apart from where. A backend picks the implementation that is its own; nothing else does. */
import type { ArraysOf, FieldKinds } from './field.ts';
import type { WasmOperator } from './wasm/program.ts';
import type { WebGpuOperator } from './webgpu/program.ts';

/** Bytes moved to and from main memory, and floating-point operations, of one run; counted by formula, never measured. */
export interface Cost {
  readonly bytes: number;
  readonly flops: number;
}

/** An operator's implementations by backend; all but the reference are loaded when first used. */
interface Implementations<Parameters, Kinds extends FieldKinds> {
  /**
   * The specification: plain code that reads like the formula, prepared once (tables, work space) and then run on arrays of
   * either precision. A backend that keeps its fields in main memory runs it on them.
   */
  readonly reference: (parameters: Parameters) => (arrays: ArraysOf<Kinds>) => void;
  readonly webgpu?: () => Promise<WebGpuOperator<Parameters, Kinds>>;
  /** If omitted, the reference form runs on that backend's memory. */
  readonly wasm?: () => Promise<WasmOperator<Parameters, Kinds>>;
}

/** One operator of the mathematics with all its implementations. */
export interface Operator<Parameters, Kinds extends FieldKinds> {
  readonly name: string;
  readonly fields: Kinds;
  /** @param elementBytes size of a real on the backend: 8 or 4 */
  cost(parameters: Parameters, elementBytes: number): Cost;
  readonly implementations: Implementations<Parameters, Kinds>;
}
