/**
 * From a storage buffer of the engine to a texture of the stage without leaving the GPU. A buffer-to-texture copy wants rows
 * of a multiple of 256 bytes, so it serves widths that are multiples of 64; for others a small compute pass stores the texels.
 */
import storePlane from './store-plane.wgsl?raw';

/** Bytes that a row must be a multiple of in a copy from a buffer to a texture. */
const ROW_ALIGNMENT = 256;

/** How a plane gets into its texture. */
export type CopyRoute = 'copy' | 'compute';

/** @returns `copy` where rows of nx numbers of 4 bytes are aligned as a copy wants them */
export function copyRoute(nx: number): CopyRoute {
  return (nx * Float32Array.BYTES_PER_ELEMENT) % ROW_ALIGNMENT === 0 ? 'copy' : 'compute';
}

export interface Binding {
  /** Bytes. */
  readonly offset: number;
  readonly size: number;
  /** Numbers between the binding's begin and the plane's. */
  readonly skip: number;
}

/** @returns the binding of a plane of `cells` numbers at `byteOffset`, begun at a multiple of the device's alignment */
export function alignedBinding(byteOffset: number, cells: number, alignment: number): Binding {
  const offset = Math.floor(byteOffset / alignment) * alignment;
  const ahead = byteOffset - offset;
  return { offset, size: ahead + cells * 4, skip: ahead / 4 };
}

/** A plane [y][x] in a buffer, from a byte offset. */
interface BufferPlane {
  readonly buffer: GPUBuffer;
  readonly byteOffset: number;
}

export interface PlaneCopier {
  createTexture(label: string): GPUTexture;
  /** Queues the copy of a plane into a texture made here. */
  copy(plane: BufferPlane, texture: GPUTexture): void;
  /** Queues the weighted sum of two planes into a texture made here. */
  blend(a: BufferPlane, weightA: number, b: BufferPlane, weightB: number, texture: GPUTexture): void;
  dispose(): void;
}

/** nx, ny, two numbers to skip, two weights; a multiple of 16 bytes. */
const SHAPE_BYTES = 32;

/** @param nx, ny size of every plane */
export function createPlaneCopier(device: GPUDevice, nx: number, ny: number): PlaneCopier {
  const route = copyRoute(nx);
  let pipeline: GPUComputePipeline | undefined;
  const storePipeline = (): GPUComputePipeline => {
    pipeline ??= device.createComputePipeline({
      label: 'stage.store-plane',
      layout: 'auto',
      compute: {
        module: device.createShaderModule({ label: 'stage.store-plane', code: storePlane }),
        entryPoint: 'main',
      },
    });
    return pipeline;
  };
  /** One a texture: what is written for one frame is not overwritten for another texture of the same frame. */
  const shapes = new Map<GPUTexture, GPUBuffer>();
  const shapeOf = (texture: GPUTexture): GPUBuffer => {
    let shape = shapes.get(texture);
    if (!shape) {
      shape = device.createBuffer({
        label: 'stage.store-plane.shape',
        size: SHAPE_BYTES,
        usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
      });
      shapes.set(texture, shape);
    }
    return shape;
  };
  const blend: PlaneCopier['blend'] = (a, weightA, b, weightB, texture) => {
    const alignment = device.limits.minStorageBufferOffsetAlignment;
    const [first, second] = [a, b].map(({ byteOffset }) => alignedBinding(byteOffset, nx * ny, alignment));
    const shape = shapeOf(texture);
    const words = new ArrayBuffer(SHAPE_BYTES);
    new Uint32Array(words).set([nx, ny, first.skip, second.skip]);
    new Float32Array(words, 16).set([weightA, weightB]);
    device.queue.writeBuffer(shape, 0, words);
    const using = storePipeline();
    const bindGroup = device.createBindGroup({
      label: 'stage.store-plane',
      layout: using.getBindGroupLayout(0),
      entries: [
        { binding: 0, resource: { buffer: a.buffer, offset: first.offset, size: first.size } },
        { binding: 1, resource: { buffer: b.buffer, offset: second.offset, size: second.size } },
        { binding: 2, resource: texture.createView() },
        { binding: 3, resource: { buffer: shape } },
      ],
    });
    const encoder = device.createCommandEncoder({ label: 'stage.store-plane' });
    const pass = encoder.beginComputePass({ label: 'stage.store-plane' });
    pass.setPipeline(using);
    pass.setBindGroup(0, bindGroup);
    pass.dispatchWorkgroups(Math.ceil(nx / 16), Math.ceil(ny / 4));
    pass.end();
    device.queue.submit([encoder.finish()]);
  };
  return {
    createTexture(label) {
      const usage = GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST | GPUTextureUsage.STORAGE_BINDING;
      return device.createTexture({ label: `stage.${label}`, size: [nx, ny], format: 'r32float', usage });
    },
    copy(plane, texture) {
      if (route === 'compute') {
        blend(plane, 1, plane, 0, texture);
        return;
      }
      const encoder = device.createCommandEncoder({ label: 'stage.plane-copy' });
      const source = { buffer: plane.buffer, offset: plane.byteOffset, bytesPerRow: nx * 4 };
      encoder.copyBufferToTexture(source, { texture }, [nx, ny]);
      device.queue.submit([encoder.finish()]);
    },
    blend,
    dispose() {
      for (const shape of shapes.values()) shape.destroy();
      shapes.clear();
    },
  };
}
