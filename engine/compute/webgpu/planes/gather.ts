/** Numbers of planes at some of their cells, gathered on the GPU into one buffer. */
import { partsOf } from '../program.ts';
import { ELEMENT_BYTES, planeStride } from './plane-buffers.ts';
import type { DevicePlane } from './plane-buffers.ts';
import source from './planes.wgsl?raw';

const part = partsOf(source);

const WORKGROUP = 64;

interface Gathering {
  readonly plane: DevicePlane;
  readonly cells: readonly number[];
}

/** @returns bytes that the numbers of `cells` cells take, up to where the next may begin */
export const gatheredBytes = planeStride;

export interface Gatherer {
  /**
   * Records the gathering of each, one after the other at `gatheredBytes` steps, into `target` from its beginning.
   *
   * @returns what frees the buffers in between; call it when the work was submitted
   */
  record(encoder: GPUCommandEncoder, gatherings: readonly Gathering[], target: GPUBuffer): () => void;
}

/** Resolves when the kernel is compiled, which nobody is held up by. */
export async function createGatherer(device: GPUDevice): Promise<Gatherer> {
  const pipeline = await device.createComputePipelineAsync({
    label: 'planes.gather',
    layout: 'auto',
    compute: {
      module: device.createShaderModule({ label: 'planes.gather', code: part('gather') }),
      entryPoint: 'main',
    },
  });
  const bufferOfCells = (cells: readonly number[]): GPUBuffer => {
    const buffer = device.createBuffer({
      label: 'planes.cells',
      size: cells.length * ELEMENT_BYTES,
      usage: GPUBufferUsage.STORAGE,
      mappedAtCreation: true,
    });
    new Uint32Array(buffer.getMappedRange()).set(cells);
    buffer.unmap();
    return buffer;
  };

  return {
    record(encoder, gatherings, target) {
      const total = gatherings.reduce((sum, { cells }) => sum + gatheredBytes(cells.length), 0);
      const gathered = device.createBuffer({
        label: 'planes.gathered',
        size: total,
        usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC,
      });
      /** Planes that are cut along the same line share its cells. */
      const lines = new Map<readonly number[], GPUBuffer>();
      const pass = encoder.beginComputePass({ label: 'planes.gather' });
      pass.setPipeline(pipeline);
      let offset = 0;
      for (const { plane, cells } of gatherings) {
        const line = lines.get(cells) ?? bufferOfCells(cells);
        lines.set(cells, line);
        const entries = [
          { buffer: plane.buffer, offset: plane.byteOffset, size: plane.cells * ELEMENT_BYTES },
          { buffer: line },
          { buffer: gathered, offset, size: cells.length * ELEMENT_BYTES },
        ];
        const group = device.createBindGroup({
          label: 'planes.gather',
          layout: pipeline.getBindGroupLayout(0),
          entries: entries.map((resource, binding) => ({ binding, resource })),
        });
        pass.setBindGroup(0, group);
        pass.dispatchWorkgroups(Math.ceil(cells.length / WORKGROUP));
        offset += gatheredBytes(cells.length);
      }
      pass.end();
      encoder.copyBufferToBuffer(gathered, 0, target, 0, total);
      return () => {
        gathered.destroy();
        for (const line of lines.values()) line.destroy();
      };
    },
  };
}
