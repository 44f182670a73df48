/**
 * Planes of numbers on the GPU, for whoever draws and reads them while a run continues: copies that outlive what computed
 * them, their numbers as far as they are asked for, and textures of them. All works on one device, without a backend.
 */
import { uniformBlock, uniformBytes } from '../../parameter-block.ts';
import { partsOf } from '../program.ts';
import { ELEMENT_BYTES, type DevicePlane } from './plane-buffers.ts';
import planesSource from './planes.wgsl?raw';

export { planeStride, createPlaneBuffers, type DevicePlane } from './plane-buffers.ts';
export { blockCount, type PlaneBlocks, type PlaneMeans } from './gather.ts';
export { createDevicePlaneReader, type DevicePlaneReader, type DevicePlaneRequest } from './plane-reader.ts';

const part = partsOf(planesSource);

/** Bytes that a row must be a multiple of in a copy from a buffer to a texture. */
const ROW_ALIGNMENT = 256;

/** How a plane gets into its texture. */
type CopyRoute = 'copy' | 'compute';

/** @returns `copy` where rows of nx numbers of 4 bytes are aligned as a copy wants them */
export function copyRoute(nx: number): CopyRoute {
  return (nx * ELEMENT_BYTES) % ROW_ALIGNMENT === 0 ? 'copy' : 'compute';
}

interface Binding {
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
  return { offset, size: ahead + cells * ELEMENT_BYTES, skip: ahead / ELEMENT_BYTES };
}

/** Where a plane is. */
type PlanePlace = Pick<DevicePlane, 'buffer' | 'byteOffset'>;

/** Textures of planes of one size, on the device that holds the planes. */
export interface PlaneTextures {
  /** An r32float texture, to be bound by whoever draws; destroyed by whoever asked for it. */
  create(label: string): GPUTexture;
  /** Queues the copy of a plane into a texture made here. */
  copy(plane: PlanePlace, texture: GPUTexture): void;
  /** Queues the weighted sum of two planes into a texture made here. */
  blend(a: PlanePlace, weightA: number, b: PlanePlace, weightB: number, texture: GPUTexture): void;
  dispose(): void;
}

const SHAPE = uniformBlock('Shape', {
  nx: 'u32',
  ny: 'u32',
  /** Numbers before each plane in its binding. */
  skipA: 'u32',
  skipB: 'u32',
  weightA: 'f32',
  weightB: 'f32',
});
const SHAPE_BYTES = 32;

const TILE = [16, 4] as const;

/**
 * From planes in storage buffers to textures that are drawn from, without leaving the GPU. A buffer-to-texture copy wants rows
 * of a multiple of 256 bytes, so it serves widths that are multiples of 64; for others a small compute pass stores the texels.
 *
 * @param nx, ny size of every plane
 */
export function createPlaneTextures(device: GPUDevice, nx: number, ny: number): PlaneTextures {
  const route = copyRoute(nx);
  let pipeline: GPUComputePipeline | undefined;
  /** Compiled at once where it is first needed: a frame cannot wait for it. */
  const blending = (): GPUComputePipeline => {
    pipeline ??= device.createComputePipeline({
      label: 'planes.blend',
      layout: 'auto',
      compute: {
        module: device.createShaderModule({ label: 'planes.blend', code: `${SHAPE.wgsl}${part('blend')}` }),
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
        label: 'planes.blend.shape',
        size: SHAPE_BYTES,
        usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
      });
      shapes.set(texture, shape);
    }
    return shape;
  };
  const blend: PlaneTextures['blend'] = (a, weightA, b, weightB, texture) => {
    const alignment = device.limits.minStorageBufferOffsetAlignment;
    const [first, second] = [a, b].map(({ byteOffset }) => alignedBinding(byteOffset, nx * ny, alignment));
    const shape = shapeOf(texture);
    const values = { nx, ny, skipA: first.skip, skipB: second.skip, weightA, weightB };
    device.queue.writeBuffer(shape, 0, uniformBytes(SHAPE, values));
    const using = blending();
    const bindGroup = device.createBindGroup({
      label: 'planes.blend',
      layout: using.getBindGroupLayout(0),
      entries: [
        { binding: 0, resource: { buffer: a.buffer, offset: first.offset, size: first.size } },
        { binding: 1, resource: { buffer: b.buffer, offset: second.offset, size: second.size } },
        { binding: 2, resource: texture.createView() },
        { binding: 3, resource: { buffer: shape } },
      ],
    });
    const encoder = device.createCommandEncoder({ label: 'planes.blend' });
    const pass = encoder.beginComputePass({ label: 'planes.blend' });
    pass.setPipeline(using);
    pass.setBindGroup(0, bindGroup);
    pass.dispatchWorkgroups(Math.ceil(nx / TILE[0]), Math.ceil(ny / TILE[1]));
    pass.end();
    device.queue.submit([encoder.finish()]);
  };
  return {
    create(label) {
      const usage = GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST | GPUTextureUsage.STORAGE_BINDING;
      return device.createTexture({ label, size: [nx, ny], format: 'r32float', usage });
    },
    copy(plane, texture) {
      if (route === 'compute') {
        blend(plane, 1, plane, 0, texture);
        return;
      }
      const encoder = device.createCommandEncoder({ label: 'planes.copy' });
      const source = { buffer: plane.buffer, offset: plane.byteOffset, bytesPerRow: nx * ELEMENT_BYTES };
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
