/**
 * The `wasm` backend: float32 in one WebAssembly memory, kernels in SIMD on a pool of threads. An operator without a kernel of
 * its own runs in its reference form on the same memory. A run is done when it is queued, as on the reference backend.
 *
 * The thread that owns it waits for the others, which a page may not do: there it lives in a worker.
 */
import { BackendError } from '../../errors.ts';
import type { ArraysOf, Backend, BackendTuning, ElementKind, FieldKinds, Operator, RealArray } from '../backend.ts';
import { createHostBackend, type HostMemory, type PreparedForm } from '../host-backend.ts';
import { recallTuning, type FindTuning } from '../tuning/index.ts';
import { chosenVariant, createKernelChoices } from '../variants.ts';
import { kernelFeatures, kernelModule, variantFor, type KernelVariant } from './kernel-modules.ts';
import { createKernelMemory, type KernelMemory, type MemoryBlock } from './memory.ts';
import type { Allocated, WasmBuilder } from './program.ts';
import { createSharing, createThreadPool, type KernelThread, type ThreadPool } from './thread-pool.ts';

export interface WasmBackendOptions {
  /** How many threads work, with the one that owns the backend; 1 if omitted. */
  readonly threads?: number;
  /** Starts a thread that runs `runThread` on the first message it gets. */
  readonly startThread?: () => KernelThread;
  /** Instead of the best that this machine can do. */
  readonly variant?: KernelVariant;
  /** What the machine's processor is called, for the records of what was chosen on it; a page does not know it. */
  readonly processor?: string;
  /** Gives what was chosen on a device before. */
  readonly findTuning?: FindTuning;
}

/** Beyond this the parts of most tasks are too few. */
const MOST_THREADS = 16;

/** @throws BackendError where the JavaScript engine has no WebAssembly SIMD */
export async function createWasmBackend({
  threads: asked = 1,
  startThread,
  variant: wanted,
  processor,
  findTuning,
}: WasmBackendOptions = {}): Promise<Backend> {
  const features = kernelFeatures();
  if (!features.simd) throw new BackendError('this JavaScript engine has no WebAssembly SIMD; use --backend reference');
  const variant = wanted ?? variantFor(features);
  const shared = variant !== 'single';
  const threads = startThread && shared ? Math.min(MOST_THREADS, Math.max(1, Math.floor(asked))) : 1;
  const memory = createKernelMemory(shared);
  const pool = createThreadPool(await kernelModule(variant), memory, threads, () => {
    if (!startThread) throw new BackendError('no threads can be started here');
    return startThread();
  });
  const adapter = variant === 'threads-relaxed' ? 'WebAssembly SIMD, fused multiply-add' : 'WebAssembly SIMD';
  const tuning: BackendTuning = {
    device: [
      ...(processor === undefined ? [] : [processor]),
      adapter,
      threads === 1 ? '1 thread' : `${threads} threads`,
    ].join(', '),
    isSoftware: false,
    traits: { threads, workgroupInvocations: 0, workgroupBytes: 0, subgroups: false },
    choices: createKernelChoices(),
  };
  await recallTuning(tuning, findTuning);
  return createHostBackend({
    name: 'wasm',
    adapter,
    tuning,
    precision: 'float32',
    threads,
    allocate: (label, kind, length) => allocateField(memory, label, kind, length),
    prepare: (operator, parameters) =>
      prepareForm(
        { memory, pool, variant, tuning: { ...tuning, choices: tuning.choices.copy() } },
        operator,
        parameters,
      ),
    dispose: () => pool.dispose(),
  });
}

/** A view is made again when memory that is not shared has moved. */
function viewing<View extends RealArray | Uint32Array>(
  memory: WebAssembly.Memory,
  make: (buffer: ArrayBufferLike) => View,
): () => View {
  let view = make(memory.buffer);
  return () => {
    if (view.buffer !== memory.buffer && view.length === 0) view = make(memory.buffer);
    return view;
  };
}

/** Fills a block with zeros. */
function clear({ memory }: KernelMemory, { address, usedBytes }: MemoryBlock): void {
  new Uint8Array(memory.buffer, address, usedBytes).fill(0);
}

function allocateField<Kind extends ElementKind>(
  memory: KernelMemory,
  label: string,
  kind: Kind,
  length: number,
): HostMemory<Kind> {
  const block = memory.allocate(label, (kind === 'double' ? 8 : 4) * length);
  const types = { index: Uint32Array, real: Float32Array, double: Float64Array };
  const type = types[kind] as new (buffer: ArrayBufferLike, address: number, length: number) => RealArray | Uint32Array;
  const view = viewing(memory.memory, (buffer) => new type(buffer, block.address, length));
  clear(memory, block);
  return { array: view as HostMemory<Kind>['array'], free: () => block.free() };
}

/** What the operators of a backend share. */
interface WasmParts {
  readonly memory: KernelMemory;
  readonly pool: ThreadPool;
  readonly variant: KernelVariant;
  readonly tuning: BackendTuning;
}

async function prepareForm<Parameters, Kinds extends FieldKinds>(
  parts: WasmParts,
  operator: Operator<Parameters, Kinds>,
  parameters: Parameters,
): Promise<PreparedForm<Kinds>> {
  const form = await operator.implementations.wasm?.();
  const owned: MemoryBlock[] = [];
  const free = (): void => {
    for (const block of owned.splice(0)) block.free();
  };
  let apply: ((arrays: ArraysOf<Kinds>) => void) | undefined;
  try {
    apply = form?.(builderFor(parts, owned), parameters);
  } catch (error) {
    free();
    throw error;
  }
  return { apply: apply ?? operator.implementations.reference(parameters), dispose: free };
}

function builderFor({ memory, pool, variant, tuning }: WasmParts, owned: MemoryBlock[]): WasmBuilder {
  const own = (label: string, bytes: number): MemoryBlock => {
    const block = memory.allocate(label, bytes);
    owned.push(block);
    return block;
  };
  const zeros = <View extends RealArray | Uint32Array>(
    label: string,
    bytes: number,
    make: (buffer: ArrayBufferLike, address: number) => View,
  ): Allocated<View> => {
    const block = own(label, bytes);
    clear(memory, block);
    return { address: block.address, view: viewing(memory.memory, (buffer) => make(buffer, block.address)) };
  };
  const reals = (label: string, length: number): Allocated<Float32Array> =>
    zeros(label, 4 * length, (buffer, address) => new Float32Array(buffer, address, length));
  const doubles = (label: string, length: number): Allocated<Float64Array> =>
    zeros(label, 8 * length, (buffer, address) => new Float64Array(buffer, address, length));
  const words = (label: string, length: number): Allocated<Uint32Array> =>
    zeros(label, 4 * length, (buffer, address) => new Uint32Array(buffer, address, length));
  return {
    program(name, block, values, scratchBytes = 0) {
      const kernel = pool.kernelNamed(name);
      const { address } = own(`${name} parameters`, block.bytes);
      pool.reserveScratch(scratchBytes);
      block.write(memory.memory.buffer, address, values);
      const sharing = createSharing();
      return {
        set: (changed) => block.write(memory.memory.buffer, address, changed),
        run: (parts) => pool.run(kernel, address, parts, sharing),
      };
    },
    generated(moduleFor) {
      const binary = moduleFor({ isShared: variant !== 'single', isFused: variant === 'threads-relaxed' });
      const module = new WebAssembly.Module(binary);
      const { run } = new WebAssembly.Instance(module, { env: { memory: memory.memory } }).exports;
      return run as (input: number, output: number) => void;
    },
    variant: (variants, given) => chosenVariant(tuning, variants, given),
    reals,
    doubles,
    words,
    realTable(label, values) {
      const { address, view } = reals(label, Math.max(1, values.length));
      view().set(values);
      return address;
    },
    wordTable(label, values) {
      const { address, view } = words(label, Math.max(1, values.length));
      view().set(values);
      return address;
    },
  };
}
