/** Few numbers of planes, made on the GPU and put into one buffer: those of some cells, or means over blocks of cells. */
import { uniformBlock, uniformBytes } from '../../parameter-block.ts';
import { partsOf } from '../program.ts';
import { ELEMENT_BYTES, planeStride, type DevicePlane } from './plane-buffers.ts';
import source from './planes.wgsl?raw';

const part = partsOf(source);

const WORKGROUP = 64;

const BLOCKS = uniformBlock('Blocks', {
  /** Cells of the plane along x. */
  nx: 'u32',
  /** Blocks along x. */
  columns: 'u32',
  /** Cells of a block along x and y. */
  x: 'u32',
  y: 'u32',
  /** 1 where another plane is subtracted. */
  subtracts: 'u32',
});

/** Blocks of x × y cells of a plane of nx × ny; cells beyond the last whole block belong to none. */
export interface PlaneBlocks {
  readonly nx: number;
  readonly ny: number;
  readonly x: number;
  readonly y: number;
}

/** Means over blocks, [row][column], of a plane or of its difference from another. */
export interface PlaneMeans<Of> {
  readonly blocks: PlaneBlocks;
  readonly minus?: Of | undefined;
}

/** Which numbers of a plane: those of some cells, or means. */
export type Gathering =
  | { readonly plane: DevicePlane; readonly cells: readonly number[] }
  | { readonly plane: DevicePlane; readonly means: PlaneMeans<DevicePlane> };

/** @returns the number of blocks */
export function blockCount({ nx, ny, x, y }: PlaneBlocks): number {
  return Math.floor(nx / x) * Math.floor(ny / y);
}

/** @returns bytes that `count` numbers take, up to where the next may begin */
export const gatheredBytes = planeStride;

function countOf(gathering: Gathering): number {
  return 'cells' in gathering ? gathering.cells.length : blockCount(gathering.means.blocks);
}

export interface Gatherer {
  /**
   * Records the gathering of each, one after the other at `gatheredBytes` steps, into `target` from its beginning.
   *
   * @returns what frees the buffers in between; call it when the work was submitted
   */
  record(encoder: GPUCommandEncoder, gatherings: readonly Gathering[], target: GPUBuffer): () => void;
}

function whole(plane: DevicePlane): GPUBufferBinding {
  return { buffer: plane.buffer, offset: plane.byteOffset, size: plane.cells * ELEMENT_BYTES };
}

/** Resolves when the kernels are compiled, which nobody is held up by. */
export async function createGatherer(device: GPUDevice): Promise<Gatherer> {
  const compile = (label: string, code: string): Promise<GPUComputePipeline> =>
    device.createComputePipelineAsync({
      label,
      layout: 'auto',
      compute: { module: device.createShaderModule({ label, code }), entryPoint: 'main' },
    });
  const [ofCells, ofBlocks] = await Promise.all([
    compile('planes.gather', part('gather')),
    compile('planes.means', `${BLOCKS.wgsl}${part('means')}`),
  ]);
  const bufferOf = (label: string, bytes: Uint32Array, usage: number): GPUBuffer => {
    const buffer = device.createBuffer({ label, size: bytes.byteLength, usage, mappedAtCreation: true });
    new Uint32Array(buffer.getMappedRange()).set(bytes);
    buffer.unmap();
    return buffer;
  };

  return {
    record(encoder, gatherings, target) {
      const total = gatherings.reduce((sum, gathering) => sum + gatheredBytes(countOf(gathering)), 0);
      const gathered = device.createBuffer({
        label: 'planes.gathered',
        size: total,
        usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC,
      });
      /** Planes that are cut along the same line share its cells. */
      const lines = new Map<readonly number[], GPUBuffer>();
      const shapes: GPUBuffer[] = [];
      const lineOf = (cells: readonly number[]): GPUBuffer => {
        const line = lines.get(cells) ?? bufferOf('planes.cells', Uint32Array.from(cells), GPUBufferUsage.STORAGE);
        lines.set(cells, line);
        return line;
      };
      const shapeOf = ({ blocks: { nx, x, y }, minus }: PlaneMeans<DevicePlane>): GPUBuffer => {
        const values = { nx, columns: Math.floor(nx / x), x, y, subtracts: minus ? 1 : 0 };
        const bytes = new Uint32Array(uniformBytes(BLOCKS, values));
        shapes.push(bufferOf('planes.blocks', bytes, GPUBufferUsage.UNIFORM));
        return shapes[shapes.length - 1];
      };
      const readBy = (gathering: Gathering): readonly GPUBufferBinding[] =>
        'cells' in gathering
          ? [whole(gathering.plane), { buffer: lineOf(gathering.cells) }]
          : [
              whole(gathering.plane),
              whole(gathering.means.minus ?? gathering.plane),
              { buffer: shapeOf(gathering.means) },
            ];
      const pass = encoder.beginComputePass({ label: 'planes.gather' });
      let offset = 0;
      for (const gathering of gatherings) {
        const count = countOf(gathering);
        const pipeline = 'cells' in gathering ? ofCells : ofBlocks;
        const entries = [...readBy(gathering), { buffer: gathered, offset, size: count * ELEMENT_BYTES }];
        pass.setPipeline(pipeline);
        pass.setBindGroup(
          0,
          device.createBindGroup({
            label: 'planes.gather',
            layout: pipeline.getBindGroupLayout(0),
            entries: entries.map((resource, binding) => ({ binding, resource })),
          }),
        );
        pass.dispatchWorkgroups(Math.ceil(count / WORKGROUP));
        offset += gatheredBytes(count);
      }
      pass.end();
      encoder.copyBufferToBuffer(gathered, 0, target, 0, total);
      return () => {
        for (const buffer of [gathered, ...lines.values(), ...shapes]) buffer.destroy();
      };
    },
  };
}
