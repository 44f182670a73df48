/** The WebGPU backend: float32 storage buffers and WGSL. */
import { BackendError, DeviceLostError, LimitError } from '../../errors.ts';
import type {
  Backend,
  BackendTuning,
  ElementKind,
  Field,
  FieldKinds,
  FieldsOf,
  HostArray,
  Operator,
  Prepared,
} from '../backend.ts';
import { recallTuning, type FindTuning } from '../tuning/index.ts';
import { createKernelChoices } from '../variants.ts';
import { createActivities, createStaging } from './staging.ts';
import { createBufferPool } from './buffer-pool.ts';
import { createCommandQueue } from './command-queue.ts';
import { requestDevice, type AdapterSummary, type GpuDevice } from './device.ts';
import type { BuffersOf } from './program.ts';
import { createRecordings } from './recordings.ts';
import { createKernelBuilder, ELEMENT_BYTES, hostArray, toHost, pipelinesOf } from './kernel-builder.ts';

/** Elements that arrive in one task of the host: of a large field each part has its own, so that a page draws between them. */
const PART_OF_A_READING = 2 ** 20;
/** Elements that are handed to the device at once. */
const PIECE_OF_A_WRITING = 2 ** 18;

/** The WebGPU backend offers, beyond the contract, its device: the stage draws from the same one. */
export interface WebGpuBackendHandle extends Backend {
  readonly name: 'webgpu';
  readonly device: GPUDevice;
  readonly adapterSummary: AdapterSummary;
  readonly tuning: BackendTuning;
  /** The buffer behind a field, for copies to textures. */
  bufferOf(field: Field): GPUBuffer;
}

interface WebGpuField<Kind extends ElementKind> extends Field<Kind> {
  readonly owner: object;
  buffer: GPUBuffer | undefined;
}

/** The first thing that went wrong on a device, which reports it at any time. */
interface Watch {
  /** @throws DeviceLostError, BackendError once there is one */
  check(): void;
  readonly failure: Error | undefined;
  end(): void;
}

function watchDevice(device: GPUDevice): Watch {
  let failure: Error | undefined;
  let over = false;
  const refuse = ({ error }: GPUUncapturedErrorEvent): void => {
    failure ??= new BackendError(`the GPU refused a command: ${error.message}`);
  };
  device.addEventListener('uncapturederror', refuse);
  void device.lost.then(({ reason, message }) => {
    if (over) return;
    failure = new DeviceLostError(
      `the GPU device was lost (${reason}): ${message || 'no reason given'}; the run can continue from its last checkpoint`,
    );
  });
  return {
    get failure() {
      return failure;
    },
    check() {
      if (failure) throw failure;
    },
    end() {
      over = true;
      device.removeEventListener('uncapturederror', refuse);
    },
  };
}

function tuningOf({ device, adapter }: GpuDevice): BackendTuning {
  const { maxComputeInvocationsPerWorkgroup, maxComputeWorkgroupSizeX, maxComputeWorkgroupStorageSize } = device.limits;
  return {
    device: adapter.description,
    isSoftware: adapter.software,
    traits: {
      threads: 1,
      workgroupInvocations: Math.min(maxComputeInvocationsPerWorkgroup, maxComputeWorkgroupSizeX),
      workgroupBytes: maxComputeWorkgroupStorageSize,
      subgroups: device.features.has('subgroups'),
    },
    choices: createKernelChoices(),
  };
}

function partOf(values: ArrayLike<number>, from: number, end: number): ArrayLike<number> {
  const isTyped = values instanceof Float64Array || values instanceof Float32Array || values instanceof Uint32Array;
  return isTyped ? values.subarray(from, end) : Array.prototype.slice.call(values, from, end);
}

function createBackend({ device, adapter }: GpuDevice, ownsDevice: boolean): WebGpuBackendHandle {
  const pool = createBufferPool(device);
  const pipelines = pipelinesOf(device);
  const tuning = tuningOf({ device, adapter });
  const watch = watchDevice(device);
  const activities = createActivities();
  const staging = createStaging(
    device,
    async (reason) => {
      // The device says why it was lost a moment later than that it was.
      await Promise.resolve();
      return watch.failure ?? new BackendError(`what was staged could not be read back: ${String(reason)}`);
    },
    activities,
  );
  const queue = createCommandQueue(device, staging, activities);
  const rooms = { index: new Uint32Array(PIECE_OF_A_WRITING), real: new Float32Array(PIECE_OF_A_WRITING) };
  let waits = 0;
  let [uploads, uploadedBytes, readbacks, readBytes] = [0, 0, 0, 0];
  let disposed = false;

  function assertAlive(): void {
    if (disposed) throw new BackendError('the WebGPU backend is used after dispose()');
  }

  function bufferOf(field: Field): GPUBuffer {
    assertAlive();
    watch.check();
    const { owner, buffer } = field as WebGpuField<ElementKind>;
    if (owner !== queue) throw new BackendError(`${field.label}: the field belongs to another backend`);
    if (buffer === undefined) throw new BackendError(`${field.label}: the field is used after dispose()`);
    return buffer;
  }

  /** Stages and counts no wait. What rejects here rejects whatever waits for it, too. */
  function stage<Kind extends ElementKind>(
    field: Field<Kind>,
    offset = 0,
    length = field.length - offset,
  ): Promise<HostArray<Kind>> {
    const buffer = bufferOf(field);
    const values = hostArray(field.kind, length);
    if (length === 0) return Promise.resolve(values);
    readbacks += 1;
    readBytes += length * ELEMENT_BYTES;
    const staged = new Promise<HostArray<Kind>>((resolve, reject) => {
      for (let from = 0; from < length; from += PART_OF_A_READING) {
        const part = Math.min(PART_OF_A_READING, length - from);
        queue.stage(buffer, (offset + from) * ELEMENT_BYTES, part * ELEMENT_BYTES, {
          arrive(bytes) {
            toHost(field.kind, bytes, values, from);
            if (from + part === length) resolve(values);
          },
          fail: reject,
        });
      }
    });
    staged.catch(() => undefined);
    return staged;
  }

  /** Waits for what was staged by work that is submitted. */
  async function arrivals(): Promise<void> {
    await staging.collect();
    watch.check();
  }

  async function read<Kind extends ElementKind>(
    field: Field<Kind>,
    offset?: number,
    length?: number,
  ): Promise<HostArray<Kind>> {
    const staged = stage(field, offset, length);
    waits += 1;
    const begin = performance.now();
    queue.submit();
    await arrivals();
    activities.tell('wait', begin);
    return staged;
  }

  return {
    name: 'webgpu',
    precision: 'float32',
    threads: undefined,
    elementBytes: ELEMENT_BYTES,
    adapter: adapter.description,
    adapterSummary: adapter,
    tuning,
    limits: { fieldBytes: Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize) },
    device,
    bufferOf,
    get counts() {
      return { waits, submissions: queue.submissions, dispatches: queue.dispatches };
    },
    get traffic() {
      return { uploads, uploadedBytes, readbacks, readBytes };
    },
    immediate: false,
    timingMicroseconds: queue.timingMicroseconds,
    get clockErrorMicroseconds() {
      return queue.clockErrorMicroseconds;
    },
    onKernel: (listener) => queue.onKernel(listener),
    onActivity: (listener) => activities.on(listener),
    allocate<Kind extends ElementKind>(label: string, kind: Kind, length: number, spare = 0): Field<Kind> {
      assertAlive();
      if (!Number.isInteger(length) || length < 1)
        throw new BackendError(`${label}: a field needs at least one element, found ${length}`);
      if (kind === 'double') throw new LimitError(`${label}: WebGPU has no float64; use --backend wasm or reference`);
      const buffer = pool.take(label, (length + spare) * ELEMENT_BYTES);
      const field: WebGpuField<Kind> = {
        label,
        kind,
        length,
        spare,
        owner: queue,
        buffer,
        dispose: () => {
          if (field.buffer === undefined) return;
          field.buffer = undefined;
          if (disposed) return;
          // What is recorded may still work on it, and the pool may destroy it.
          queue.submit();
          pool.give(buffer);
        },
      };
      return field;
    },
    write(field, values, offset = 0) {
      const buffer = bufferOf(field);
      if (offset + values.length > field.length)
        throw new BackendError(
          `${field.label}: ${values.length} elements written at ${offset}, the field has ${field.length}`,
        );
      if (values.length === 0) return;
      const begin = performance.now();
      const bytes = values.length * ELEMENT_BYTES;
      // In pieces through one room on the host: fresh memory for all of it takes longer than the copying.
      const room = field.kind === 'index' ? rooms.index : rooms.real;
      for (let from = 0; from < values.length; from += room.length) {
        const piece = room.subarray(0, Math.min(room.length, values.length - from));
        piece.set(partOf(values, from, from + piece.length));
        queue.write(buffer, (offset + from) * ELEMENT_BYTES, piece);
      }
      uploads += 1;
      uploadedBytes += bytes;
      activities.tell('upload', begin, bytes);
    },
    read,
    readSingle: async (field, offset, length) => new Float32Array(await read(field, offset, length)),
    stage,
    async collect() {
      assertAlive();
      queue.submit();
      const begin = performance.now();
      const isWaiting = !staging.isEmpty;
      if (isWaiting) waits += 1;
      await arrivals();
      if (isWaiting) activities.tell('wait', begin);
    },
    mark() {
      assertAlive();
      const marked = new Promise<number>((arrive, fail) => {
        queue.mark({ arrive, fail });
      });
      marked.catch(() => undefined);
      return marked;
    },
    submit: () => queue.submit(),
    copy(source, target, { sourceOffset = 0, targetOffset = 0, length = source.length - sourceOffset } = {}) {
      const [from, to] = [bufferOf(source), bufferOf(target)];
      const bytes = length * ELEMENT_BYTES;
      queue.copy(from, sourceOffset * ELEMENT_BYTES, to, targetOffset * ELEMENT_BYTES, bytes);
    },
    async prepare<Parameters, Kinds extends FieldKinds>(
      operator: Operator<Parameters, Kinds>,
      parameters: Parameters,
    ): Promise<Prepared<Kinds>> {
      assertAlive();
      const choices = tuning.choices.copy();
      const prepareOn = await operator.implementations.webgpu?.();
      if (!prepareOn) {
        throw new BackendError(`${operator.name} has no WebGPU implementation; use --backend reference`);
      }
      const builder = createKernelBuilder(operator.name, {
        device,
        pool,
        pipelines,
        tuning: { ...tuning, choices },
        submit: () => queue.submit(),
      });
      const record = await prepareOn(builder, parameters).catch((error: unknown) => {
        builder.release();
        throw error;
      });
      const cost = operator.cost(parameters, ELEMENT_BYTES);
      const work = { name: operator.name, ...cost };
      const names = Object.keys(operator.fields);
      const bound: GPUBuffer[] = [];
      const recordings = createRecordings(device, (recorder, buffers) =>
        record(recorder, Object.fromEntries(names.map((name, i) => [name, buffers[i]])) as BuffersOf<Kinds>),
      );
      let over = false;
      return {
        run: (fields: FieldsOf<Kinds>) => {
          if (over) throw new BackendError(`${operator.name} is run after dispose()`);
          for (let i = 0; i < names.length; i++) bound[i] = bufferOf(fields[names[i]]);
          queue.run(work, recordings.of(bound));
        },
        dispose: () => {
          if (over) return;
          over = true;
          queue.submit();
          recordings.clear();
          builder.release();
        },
      };
    },
    async settle() {
      assertAlive();
      waits += 1;
      const begin = performance.now();
      queue.submit();
      await Promise.all([device.queue.onSubmittedWorkDone(), arrivals()]);
      activities.tell('wait', begin);
    },
    dispose() {
      if (disposed) return;
      disposed = true;
      const reason = new BackendError('the WebGPU backend was disposed before this arrived');
      pool.dispose();
      queue.dispose(reason);
      staging.dispose(reason);
      watch.end();
      if (ownsDevice) device.destroy();
    },
  };
}

/**
 * @param gpu the browser's `navigator.gpu`, or the same from a package; or a device that others use too, which then outlives
 *   the backend
 * @param findTuning gives what was chosen on a device before
 * @throws BackendError when there is no adapter, or it lacks what the kernels need
 */
export async function createWebGpuBackend(gpu: GPU | GpuDevice, findTuning?: FindTuning): Promise<WebGpuBackendHandle> {
  const backend = 'device' in gpu ? createBackend(gpu, false) : createBackend(await requestDevice(gpu), true);
  await recallTuning(backend.tuning, findTuning);
  return backend;
}
