/** The schemes for a flat bottom on a GPU: one kernel a step, between two buffers. */
import type { WebGpuOperator } from '../../../compute/webgpu/program.ts';
import { STEPPING_BINDINGS } from '../../stepping-webgpu.ts';
import type { StepFields } from '../../stepping.ts';
import { createFrame } from '../webgpu-frame.ts';
import keepSource from './keep.wgsl?raw';
import alignedSource from './pairs-aligned.wgsl?raw';
import anywhereSource from './pairs-anywhere.wgsl?raw';
import type { FlatBottomParameters } from './parameters.ts';

/** Columns and rows of invocations in a workgroup, and columns of each; as in the kernels. */
const LANES = [32, 4] as const;
const COLUMNS = 2;
/** Rows of an invocation: fewer reads and fluxes a cell the more there are, if there are cells enough for all lanes. */
const ROWS = { few: 2, many: 4 } as const;
const MANY_CELLS = 2 ** 20;

/**
 * @param name of the operator
 * @param source of the scheme's kernel, which follows `keep.wgsl`
 * @param constants of the kernel, beside ROWS
 */
export function flatBottomWebGpu(
  name: string,
  source: string,
  constants: Readonly<Record<string, number>> = {},
): WebGpuOperator<FlatBottomParameters, StepFields> {
  return async (builder, parameters) => {
    const { nx, ny, members, steps } = parameters;
    const frame = await createFrame(builder, name, parameters);
    const rows = nx * ny * members >= MANY_CELLS ? ROWS.many : ROWS.few;
    const step = await builder.program({
      label: `${name}.step`,
      code: [...frame.code, nx % COLUMNS === 0 ? alignedSource : anywhereSource, keepSource, source],
      constants: { ...constants, ROWS: rows },
      bindings: [...STEPPING_BINDINGS, 'uniform', 'read', 'write'],
    });
    const length = 3 * nx * ny * members;
    const other = builder.shared('shallow-water.other', 'real', length);
    const workgroups = [Math.ceil(nx / (COLUMNS * LANES[0])), Math.ceil(ny / (rows * LANES[1])), members] as const;
    return (recorder, buffers) => {
      frame.begin(recorder, buffers);
      for (let s = 0; s < steps; s++) {
        const [from, to] = s % 2 === 0 ? [buffers.state, other] : [other, buffers.state];
        recorder.dispatch(step, [...frame.stepping(s, buffers), frame.basin, from, to], workgroups);
      }
      if (steps % 2 === 1) recorder.copy(other, buffers.state, length * Float32Array.BYTES_PER_ELEMENT);
      frame.end(recorder, buffers);
    };
  };
}
