/**
 * What an operator's WebGPU part is written with: programs (one compute pipeline each), uniforms and scratch buffers that
 * live as long as the prepared operator, and a recorder that queues dispatches.
 */
import type { ElementKind, FieldKinds } from '../field.ts';
import type { BlockMembers, ScalarsOf, UniformBlock } from '../parameter-block.ts';
import type { KernelVariants } from '../variants.ts';

/** How a kernel sees a buffer: `read` and `write` are storage buffers (`write` may also be read), `uniform` is a uniform. */
export type Access = 'read' | 'write' | 'uniform';

/** One kernel. `code` parts are joined in order: shared library files first, the kernel's own file last. */
export interface ProgramDescription {
  /** `operator.role`, the label of all its GPU objects. */
  readonly label: string;
  readonly code: readonly string[];
  readonly entryPoint?: string;
  /** Values of the `override` constants. */
  readonly constants?: Readonly<Record<string, number>>;
  /** Bindings 0, 1, … of group 0, in order. */
  readonly bindings: readonly Access[];
}

/** A compiled kernel. */
export interface Program {
  readonly label: string;
  readonly pipeline: GPUComputePipeline;
  readonly layout: GPUBindGroupLayout;
  /** Invocations along x, y, z in a workgroup. */
  readonly workgroup: readonly number[];
}

/** What an operator prepares with. Everything it hands out is disposed with the prepared operator. */
export interface KernelBuilder {
  readonly limits: GPUSupportedLimits;
  /** @returns the variant that this device takes for these parameters */
  variant<Parameters, Variant>(variants: KernelVariants<Parameters, Variant>, parameters: Parameters): Variant;
  /** Compiles a program, or returns the one compiled before from the same code and constants. */
  program(description: ProgramDescription): Promise<Program>;
  /** A uniform buffer that holds `values`. */
  uniform<Members extends BlockMembers>(
    label: string,
    block: UniformBlock<Members>,
    values: ScalarsOf<Members>,
  ): GPUBuffer;
  /** A storage buffer of `length` elements. @throws LimitError when it is larger than the device allows */
  scratch(label: string, kind: ElementKind, length: number): GPUBuffer;
  /**
   * Work space that no run leaves anything in for the next: one storage buffer for all that ask for this label and length.
   *
   * @throws LimitError as `scratch`
   */
  shared(label: string, kind: ElementKind, length: number): GPUBuffer;
  /** A storage buffer that holds `values` (rounded to float32 if real). */
  table(label: string, kind: ElementKind, values: ArrayLike<number>): GPUBuffer;
}

/** Queues work in order. A dispatch sees all that earlier ones wrote. */
export interface Recorder {
  /** @param workgroups counts along x, y, z; at most 65535 each */
  dispatch(
    program: Program,
    buffers: readonly GPUBuffer[],
    workgroups: readonly [x: number, y?: number, z?: number],
  ): void;
  copy(source: GPUBuffer, target: GPUBuffer, bytes: number): void;
  clear(buffer: GPUBuffer): void;
}

export type BuffersOf<Kinds extends FieldKinds> = { readonly [Name in keyof Kinds]: GPUBuffer };

/**
 * An operator's WebGPU part: prepares once, then records a run on any buffers it is given. A recording is kept and played again,
 * so what is recorded must depend on the buffers alone.
 */
export type WebGpuOperator<Parameters, Kinds extends FieldKinds> = (
  builder: KernelBuilder,
  parameters: Parameters,
) => Promise<(recorder: Recorder, buffers: BuffersOf<Kinds>) => void>;

/** One kernel of an operator, dispatched once: it reads the numbers of a block as `parameters` and its arrays by their names. */
export interface WebGpuWork<Parameters> {
  /** Its code and the libraries that it needs, loaded when first used; library/index.wgsl is there. */
  readonly code: () => readonly (string | Promise<{ readonly default: string }>)[];
  /** The parts of the last file that it consists of, in order (`partsOf`); the whole file if omitted. */
  readonly parts?: readonly string[] | ((parameters: Parameters) => readonly string[]);
  /** Invocations: along one axis, which is folded into x and y where it is too long, or along x and y. */
  readonly items: (parameters: Parameters) => number | readonly [x: number, y: number];
  /** Workgroups along z; 1 if omitted. */
  readonly layers?: (parameters: Parameters) => number;
  /** Values of the `override` constants. */
  readonly constants?: (parameters: Parameters) => Readonly<Record<string, number>>;
}

/**
 * A file of WGSL may hold several kernels and what they share, each part below a line `// == NAME ==`.
 *
 * @returns the text of a part by its name
 * @throws RangeError if the file has no such part
 */
export function partsOf(source: string): (name: string) => string {
  const [, ...pieces] = source.split(/^\/\/ == (\S+) ==$/m);
  return (name) => {
    const at = pieces.findIndex((piece, index) => index % 2 === 0 && piece === name);
    if (at < 0) throw new RangeError(`no part '${name}' in a file of WGSL that begins with '${source.slice(0, 60)}'`);
    return pieces[at + 1];
  };
}

/**
 * What an invocation keeps of several elements stays in registers only if each has a name of its own: drivers put arrays into memory
 * unless all their indices are constants.
 *
 * @returns the lines of WGSL for 0 … count − 1, one after the other
 */
export function unrolled(count: number, lines: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => lines(index)).join('\n');
}

/** @returns a kernel in which all lines between `// each {` and `// }` are unrolled, with the index in place of each $ */
export function repeated(source: string, count: number): string {
  return source.replaceAll(/^ *\/\/ each \{\n(.*?)\n *\/\/ \}$/gms, (_, lines: string) =>
    unrolled(count, (index) => lines.replaceAll('$', String(index))),
  );
}

/** The largest workgroup count along one axis that WebGPU guarantees. */
const LARGEST_COUNT = 65_535;

/**
 * Workgroup counts that cover `items` one-dimensionally, folded into x and y where one axis is too short. The kernel
 * recovers the index as `id.x + id.y * count.x * workgroupSize` (see `linearIndex` in library/index.wgsl) and guards it.
 */
export function workgroupsFor(items: number, workgroupSize: number): readonly [number, number] {
  const groups = Math.ceil(items / workgroupSize);
  if (groups <= LARGEST_COUNT) return [groups, 1];
  const rows = Math.ceil(groups / LARGEST_COUNT);
  return [Math.ceil(groups / rows), rows];
}
