/** Records band passes on the GPU: what every filter by convolution along an axis is made of. */
import { uniformBlock } from '../../compute/parameter-block.ts';
import { workgroupsFor, type KernelBuilder, type Recorder, type WebGpuOperator } from '../../compute/webgpu/program.ts';
import kernel from './band-pass.wgsl?raw';
import type { Band } from './band.ts';
import type { Lines, separableConvolution2dFields, SeparableConvolution2dParameters } from './reference.ts';
import { planesPasses } from './reference.ts';

const PARAMETERS = uniformBlock('Parameters', {
  length: 'u32',
  step: 'u32',
  lines: 'u32',
  inner: 'u32',
  innerStride: 'u32',
  outerStride: 'u32',
  lower: 'u32',
  /** Weights of a row: a multiple of 4. */
  width: 'u32',
  left: 'u32',
  right: 'u32',
  tilesAlong: 'u32',
  tiles: 'u32',
  /** Neighbouring lanes that read and write along a line; lines are then shared by the others. */
  pointLanes: 'u32',
  /** 1 if the line repeats itself outside, 0 if there is nothing. */
  periodic: 'u32',
});

/** Invocations of a workgroup, and points each of them sums; both as in band-pass.wgsl. */
const INVOCATIONS = 256;
const SUMS = 8;

/** Taps gathered at a time: the fewest that hold a filter, to leave workgroup memory to others; the last fills 16 KiB. */
const CHUNKS = [16, 60] as const;

/** Queues out ← band · in. The two are different buffers. */
export type RecordPass = (recorder: Recorder, input: GPUBuffer, output: GPUBuffer) => void;

/** @param owner the operator, for the labels of its GPU objects */
export async function prepareBandPass(
  builder: KernelBuilder,
  owner: string,
  lines: Lines,
  band: Band,
): Promise<RecordPass> {
  const side = linesSideBySide(lines.count);
  const tilesAlong = Math.ceil(lines.length / ((INVOCATIONS / side) * SUMS));
  const tiles = tilesAlong * Math.ceil(lines.count / side);
  const width = Math.ceil(band.width / 4) * 4;
  const chunk = CHUNKS.find((taps) => taps >= width) ?? CHUNKS[CHUNKS.length - 1];
  const elements = INVOCATIONS * SUMS + chunk * side;
  const program = await builder.program({
    label: `${owner}.band-pass`,
    code: [PARAMETERS.wgsl, kernel],
    constants: {
      LINES: side,
      CHUNK: chunk,
      TILE_ELEMENTS: elements + Math.ceil(elements / 32),
    },
    bindings: ['uniform', 'read', 'read', 'write'],
  });
  const parameters = builder.uniform(`${owner}.lines`, PARAMETERS, {
    length: lines.length,
    step: lines.step,
    lines: lines.count,
    inner: lines.inner,
    innerStride: lines.innerStride,
    outerStride: lines.outerStride,
    lower: band.lower,
    width,
    left: band.left,
    right: band.right,
    tilesAlong,
    tiles,
    pointLanes: pointLanes(lines, side),
    periodic: Number(band.periodic),
  });
  const rows = builder.table(`${owner}.rows`, 'real', paddedRows(band, width));
  const workgroups = workgroupsFor(tiles, 1);
  return (recorder, input, output) => recorder.dispatch(program, [parameters, rows, input, output], workgroups);
}

/** As many lines as fill a memory transaction, or one if there are few. */
function linesSideBySide(count: number): number {
  return count >= 8 ? 32 : 1;
}

/** Lanes side by side along a line where its points are neighbours in memory; else lanes are across the lines. */
function pointLanes({ step }: Lines, side: number): number {
  if (step !== 1) return INVOCATIONS / side;
  return side === 1 ? INVOCATIONS : 32;
}

/** The distinct rows, each filled with zeros to `width`. */
function paddedRows(band: Band, width: number): Float64Array {
  const count = band.left + 1 + band.right;
  const padded = new Float64Array(count * width);
  for (let row = 0; row < count; row++) {
    padded.set(band.rows.subarray(row * band.width, (row + 1) * band.width), row * width);
  }
  return padded;
}

/** The separable convolution of planes: a pass an axis. */
export const separableConvolution2d: WebGpuOperator<
  SeparableConvolution2dParameters,
  typeof separableConvolution2dFields
> = async (builder, parameters) => {
  const { nx, ny, batch } = parameters;
  const passes = planesPasses(parameters);
  const [first, second] = await Promise.all(
    passes.map(({ lines, band }) => prepareBandPass(builder, 'separable-convolution-2d', lines, band)),
  );
  const scratch = builder.scratch('separable-convolution-2d.scratch', 'real', nx * ny * batch);
  return (recorder, { input, output }) => {
    first(recorder, input, scratch);
    second(recorder, scratch, output);
  };
};
