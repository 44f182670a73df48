/**
 * The WebGPU backend: float32 storage buffers and WGSL. Runs are recorded into one command encoder and submitted when
 * something is read or written, or when enough has gathered. While somebody listens to kernel times, each run has a pass of
 * its own with timestamps; otherwise runs share a pass.
 */
import { BackendError, DeviceLostError } from '../../errors.ts';
import type {
  Backend,
  ElementKind,
  Field,
  FieldKinds,
  FieldsOf,
  HostArray,
  KernelSample,
  Operator,
  Prepared,
} from '../backend.ts';
import { createBufferPool } from './buffer-pool.ts';
import { createPassClock } from './clock.ts';
import { requestDevice } from './device.ts';
import type { AdapterSummary, GpuDevice } from './device.ts';
import { createPipelineCache } from './pipeline-cache.ts';
import type { BuffersOf, Program, Recorder, UniformMember, Workshop } from './program.ts';

/** Dispatches after which the gathered work is handed to the device, so that it works while more is recorded. */
const DISPATCHES_PER_SUBMISSION = 512;
const ELEMENT_BYTES = 4;

interface WebGpuField<Kind extends ElementKind> extends Field<Kind> {
  readonly owner: WebGpuBackend;
  buffer: GPUBuffer | undefined;
}

/** The WebGPU backend offers, beyond the contract, its device: the stage draws from the same one. */
export interface WebGpuBackendHandle extends Backend {
  readonly name: 'webgpu';
  readonly device: GPUDevice;
  readonly adapterSummary: AdapterSummary;
  /** The buffer behind a field, for copies to textures. */
  bufferOf(field: Field): GPUBuffer;
}

/** What a prepared operator has taken. */
interface Possessions {
  readonly owned: Set<GPUBuffer>;
  readonly pooled: Set<GPUBuffer>;
  /** In the order in which they were asked for. */
  readonly programs: Program[];
}

class WebGpuBackend implements WebGpuBackendHandle {
  readonly name = 'webgpu';
  readonly precision = 'float32';
  readonly elementBytes = 4;
  readonly adapter: string;
  readonly limits: { readonly fieldBytes: number };
  readonly device: GPUDevice;
  readonly adapterSummary: AdapterSummary;
  readonly #pool;
  readonly #pipelines;
  readonly #clock;
  readonly #listeners = new Set<(sample: KernelSample) => void>();
  readonly #identities = new WeakMap<object, number>();
  #nextIdentity = 0;
  #encoder: GPUCommandEncoder | undefined;
  #pass: GPUComputePassEncoder | undefined;
  #recorded = 0;
  #lastFence = 0;
  #failure: Error | undefined;
  readonly #ownsDevice: boolean;
  readonly #onRefusal = (event: GPUUncapturedErrorEvent): void => {
    this.#failure ??= new BackendError(`the GPU refused a command: ${event.error.message}`);
  };
  #disposed = false;

  constructor({ device, adapter: adapterSummary }: GpuDevice, ownsDevice: boolean) {
    this.device = device;
    this.#ownsDevice = ownsDevice;
    this.adapterSummary = adapterSummary;
    this.adapter = adapterSummary.description;
    this.limits = { fieldBytes: Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize) };
    this.#pool = createBufferPool(device);
    this.#pipelines = createPipelineCache(device);
    this.#clock = createPassClock(device);
    device.addEventListener('uncapturederror', this.#onRefusal);
    void device.lost.then(({ reason, message }) => {
      if (this.#disposed) return;
      this.#failure = new DeviceLostError(
        `the GPU device was lost (${reason}): ${message || 'no reason given'}; the run can continue from its last checkpoint`,
      );
    });
  }

  allocate<Kind extends ElementKind>(label: string, kind: Kind, length: number): Field<Kind> {
    this.#assertAlive();
    if (!Number.isInteger(length) || length < 1)
      throw new BackendError(`${label}: a field needs at least one element, found ${length}`);
    const buffer = this.#pool.take(label, length * ELEMENT_BYTES);
    const field: WebGpuField<Kind> = {
      label,
      kind,
      length,
      owner: this,
      buffer,
      dispose: () => {
        if (field.buffer === undefined) return;
        field.buffer = undefined;
        if (!this.#disposed) this.#pool.give(buffer);
      },
    };
    return field;
  }

  write<Kind extends ElementKind>(field: Field<Kind>, values: ArrayLike<number>, offset = 0): void {
    const buffer = this.bufferOf(field);
    if (offset + values.length > field.length)
      throw new BackendError(
        `${field.label}: ${values.length} elements written at ${offset}, the field has ${field.length}`,
      );
    if (values.length === 0) return;
    // The queue writes before anything submitted later, so what is recorded so far must be submitted first.
    this.#submit();
    const data = toDevice(field.kind, values);
    this.device.queue.writeBuffer(buffer, offset * ELEMENT_BYTES, data);
  }

  async read<Kind extends ElementKind>(
    field: Field<Kind>,
    offset = 0,
    length = field.length - offset,
  ): Promise<HostArray<Kind>> {
    const buffer = this.bufferOf(field);
    const size = length * ELEMENT_BYTES;
    const staging = this.device.createBuffer({
      label: `${field.label}.staging`,
      size,
      usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
    });
    this.#endPass();
    this.#commandEncoder().copyBufferToBuffer(buffer, offset * ELEMENT_BYTES, staging, 0, size);
    this.#submit();
    try {
      await staging.mapAsync(GPUMapMode.READ);
    } catch (reason) {
      await Promise.resolve();
      throw this.#failure ?? new BackendError(`${field.label} could not be read back: ${String(reason)}`);
    }
    const range = staging.getMappedRange();
    const values = field.kind === 'index' ? new Uint32Array(range).slice() : Float64Array.from(new Float32Array(range));
    staging.destroy();
    await this.#collectTimes();
    this.#throwFailure();
    return values as HostArray<Kind>;
  }

  copy<Kind extends ElementKind>(
    source: Field<Kind>,
    target: Field<Kind>,
    options: { readonly sourceOffset?: number; readonly targetOffset?: number; readonly length?: number } = {},
  ): void {
    const { sourceOffset = 0, targetOffset = 0, length = source.length - sourceOffset } = options;
    this.#endPass();
    this.#commandEncoder().copyBufferToBuffer(
      this.bufferOf(source),
      sourceOffset * ELEMENT_BYTES,
      this.bufferOf(target),
      targetOffset * ELEMENT_BYTES,
      length * ELEMENT_BYTES,
    );
  }

  async prepare<Parameters, Kinds extends FieldKinds>(
    operator: Operator<Parameters, Kinds>,
    parameters: Parameters,
  ): Promise<Prepared<Kinds>> {
    this.#assertAlive();
    const { default: prepareOn } = await operator.webgpu();
    const owned = new Set<GPUBuffer>();
    const pooled = new Set<GPUBuffer>();
    const bindGroups = new Map<string, GPUBindGroup>();
    const programs: Program[] = [];
    const workshop = this.#workshop(operator.name, { owned, pooled, programs });
    const record = await prepareOn(workshop, parameters);
    const cost = operator.cost(parameters, ELEMENT_BYTES);
    let disposed = false;
    return {
      run: (fields: FieldsOf<Kinds>) => {
        if (disposed) throw new BackendError(`${operator.name} is run after dispose()`);
        const buffers = Object.fromEntries(
          Object.keys(operator.fields).map((name) => [name, this.bufferOf(fields[name])]),
        ) as BuffersOf<Kinds>;
        const sample = { name: operator.name, workgroup: programs[0]?.workgroup, ...cost };
        const timed = this.#listeners.size > 0;
        if (timed && this.#clock) this.#endPass();
        else if (timed) this.#submit();
        record(this.#recorder(bindGroups, sample), buffers);
        if (timed && this.#clock) this.#endPass();
        else if (timed) this.#timeByFence(sample);
        if (this.#recorded >= DISPATCHES_PER_SUBMISSION) this.#submit();
      },
      dispose: () => {
        if (disposed) return;
        disposed = true;
        this.#submit();
        bindGroups.clear();
        for (const buffer of owned) buffer.destroy();
        if (!this.#disposed) for (const buffer of pooled) this.#pool.give(buffer);
      },
    };
  }

  async settle(): Promise<void> {
    this.#assertAlive();
    this.#submit();
    await this.device.queue.onSubmittedWorkDone();
    await this.#collectTimes();
    this.#throwFailure();
  }

  onKernel(listener: (sample: KernelSample) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  bufferOf(field: Field): GPUBuffer {
    this.#assertAlive();
    this.#throwFailure();
    const { owner, buffer } = field as WebGpuField<ElementKind>;
    if (owner !== this) throw new BackendError(`${field.label}: the field belongs to another backend`);
    if (buffer === undefined) throw new BackendError(`${field.label}: the field is used after dispose()`);
    return buffer;
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#listeners.clear();
    this.#pool.dispose();
    this.#clock?.dispose();
    this.device.removeEventListener('uncapturederror', this.#onRefusal);
    if (this.#ownsDevice) this.device.destroy();
  }

  #workshop(owner: string, { owned, pooled, programs }: Possessions): Workshop {
    const { device } = this;
    const scratch = (label: string, bytes: number): GPUBuffer => {
      const buffer = this.#pool.take(`${owner}.${label}`, bytes);
      pooled.add(buffer);
      return buffer;
    };
    return {
      device,
      limits: device.limits,
      program: async (description) => {
        const program = await this.#pipelines.get(description);
        programs.push(program);
        return program;
      },
      uniform: (label, members) => {
        const data = uniformData(members);
        const buffer = device.createBuffer({
          label: `${owner}.${label}`,
          size: data.byteLength,
          usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
        });
        device.queue.writeBuffer(buffer, 0, data);
        owned.add(buffer);
        return buffer;
      },
      scratch: (label, _kind, length) => scratch(label, length * ELEMENT_BYTES),
      table: (label, kind, values) => {
        this.#submit();
        const buffer = scratch(label, Math.max(1, values.length) * ELEMENT_BYTES);
        device.queue.writeBuffer(buffer, 0, toDevice(kind, values));
        return buffer;
      },
    };
  }

  #recorder(bindGroups: Map<string, GPUBindGroup>, sample: Omit<KernelSample, 'microseconds' | 'clock'>): Recorder {
    let timed = sample;
    const pass = (): GPUComputePassEncoder => {
      if (this.#pass) return this.#pass;
      // A run that is split by copies counts its work once, in its first pass.
      const started = this.#beginPass(timed);
      timed = { ...sample, bytes: 0, flops: 0 };
      return started;
    };
    return {
      dispatch: (program, buffers, [x, y = 1, z = 1]) => {
        const encoder = pass();
        encoder.setPipeline(program.pipeline);
        encoder.setBindGroup(0, this.#bindGroup(bindGroups, program, buffers));
        encoder.dispatchWorkgroups(x, y, z);
        this.#recorded += 1;
      },
      copy: (source, target, bytes) => {
        this.#endPass();
        this.#commandEncoder().copyBufferToBuffer(source, 0, target, 0, bytes);
      },
      clear: (buffer) => {
        this.#endPass();
        this.#commandEncoder().clearBuffer(buffer);
      },
    };
  }

  #bindGroup(cache: Map<string, GPUBindGroup>, program: Program, buffers: readonly GPUBuffer[]): GPUBindGroup {
    const key = [this.#identity(program.layout), ...buffers.map((buffer) => this.#identity(buffer))].join(',');
    let group = cache.get(key);
    if (!group) {
      group = this.device.createBindGroup({
        label: `${program.label}.bindings`,
        layout: program.layout,
        entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
      });
      cache.set(key, group);
    }
    return group;
  }

  #identity(object: object): number {
    let identity = this.#identities.get(object);
    if (identity === undefined) {
      identity = this.#nextIdentity++;
      this.#identities.set(object, identity);
    }
    return identity;
  }

  #commandEncoder(): GPUCommandEncoder {
    this.#encoder ??= this.device.createCommandEncoder({ label: 'shoal.commands' });
    return this.#encoder;
  }

  #beginPass(sample: Omit<KernelSample, 'microseconds' | 'clock'>): GPUComputePassEncoder {
    if (this.#clock?.full) this.#submit();
    const timestampWrites = this.#listeners.size > 0 ? this.#clock?.begin(sample) : undefined;
    this.#pass = this.#commandEncoder().beginComputePass({ label: sample.name, timestampWrites });
    return this.#pass;
  }

  #endPass(): void {
    this.#pass?.end();
    this.#pass = undefined;
  }

  #submit(): void {
    this.#endPass();
    if (!this.#encoder) return;
    this.#clock?.resolve(this.#encoder);
    this.device.queue.submit([this.#encoder.finish()]);
    this.#encoder = undefined;
    this.#recorded = 0;
  }

  /** Without timestamps: submits what was recorded and times it by the wall clock, from the end of what came before it. */
  #timeByFence(sample: Omit<KernelSample, 'microseconds' | 'clock'>): void {
    this.#submit();
    const submitted = performance.now();
    const done = this.device.queue.onSubmittedWorkDone().then(() => {
      const now = performance.now();
      const microseconds = (now - Math.max(submitted, this.#lastFence)) * 1000;
      this.#lastFence = now;
      for (const listener of this.#listeners) listener({ ...sample, microseconds, clock: 'wall' });
    });
    // A device that is lost meanwhile is reported by whatever waits for results.
    done.catch(() => undefined);
  }

  async #collectTimes(): Promise<void> {
    await this.#clock?.collect((sample) => {
      for (const listener of this.#listeners) listener(sample);
    });
  }

  #assertAlive(): void {
    if (this.#disposed) throw new BackendError('the WebGPU backend is used after dispose()');
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure;
  }
}

function toDevice(kind: ElementKind, values: ArrayLike<number>): Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer> {
  return kind === 'index' ? Uint32Array.from(values) : Float32Array.from(values);
}

/** A uniform block: members of four bytes in order, padded to 16. */
function uniformData(members: readonly UniformMember[]): ArrayBuffer {
  const data = new ArrayBuffer(Math.max(16, Math.ceil((members.length * 4) / 16) * 16));
  const view = new DataView(data);
  members.forEach((member, index) => {
    if ('u32' in member) view.setUint32(4 * index, member.u32, true);
    else if ('i32' in member) view.setInt32(4 * index, member.i32, true);
    else view.setFloat32(4 * index, member.f32, true);
  });
  return data;
}

/**
 * @param gpu the browser's `navigator.gpu`, or the same from a package; or a device that others use too, which then outlives
 *   the backend
 * @throws BackendError when there is no adapter, or it lacks what the kernels need
 */
export async function createWebGpuBackend(gpu: GPU | GpuDevice): Promise<WebGpuBackendHandle> {
  return 'device' in gpu ? new WebGpuBackend(gpu, false) : new WebGpuBackend(await requestDevice(gpu), true);
}
