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

export interface PlaneCopier {
  createTexture(label: string): GPUTexture;
  /** Queues the copy of a plane [y][x] into a texture made here. */
  copy(buffer: GPUBuffer, byteOffset: number, texture: GPUTexture): void;
}

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
  const store = (encoder: GPUCommandEncoder, buffer: GPUBuffer, byteOffset: number, texture: GPUTexture): void => {
    const { offset, size, skip } = alignedBinding(byteOffset, nx * ny, device.limits.minStorageBufferOffsetAlignment);
    const shape = device.createBuffer({
      label: 'stage.store-plane.shape',
      size: 16,
      usage: GPUBufferUsage.UNIFORM,
      mappedAtCreation: true,
    });
    new Uint32Array(shape.getMappedRange()).set([nx, ny, skip, 0]);
    shape.unmap();
    const using = storePipeline();
    const pass = encoder.beginComputePass({ label: 'stage.store-plane' });
    pass.setPipeline(using);
    pass.setBindGroup(
      0,
      device.createBindGroup({
        label: 'stage.store-plane',
        layout: using.getBindGroupLayout(0),
        entries: [
          { binding: 0, resource: { buffer, offset, size } },
          { binding: 1, resource: texture.createView() },
          { binding: 2, resource: { buffer: shape } },
        ],
      }),
    );
    pass.dispatchWorkgroups(Math.ceil(nx / 16), Math.ceil(ny / 4));
    pass.end();
  };
  return {
    createTexture(label) {
      const usage = GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST | GPUTextureUsage.STORAGE_BINDING;
      return device.createTexture({ label: `stage.${label}`, size: [nx, ny], format: 'r32float', usage });
    },
    copy(buffer, byteOffset, texture) {
      const encoder = device.createCommandEncoder({ label: 'stage.plane-copy' });
      if (route === 'copy') {
        encoder.copyBufferToTexture({ buffer, offset: byteOffset, bytesPerRow: nx * 4 }, { texture }, [nx, ny]);
      } else {
        store(encoder, buffer, byteOffset, texture);
      }
      device.queue.submit([encoder.finish()]);
    },
  };
}
