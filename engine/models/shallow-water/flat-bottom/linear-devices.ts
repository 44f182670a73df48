/** The linearised step of a scheme for a flat bottom on devices. */
import { parameterBlock, uniformBlock } from '../../../compute/parameter-block.ts';
import { onFields, type WasmOperator } from '../../../compute/wasm/program.ts';
import { partsOf, type WebGpuOperator } from '../../../compute/webgpu/program.ts';
import type { LinearStepFields, LinearStepParameters } from '../../linear-step.ts';
import { bandsOf, BOUNDARY_CODES } from '../../stepping-devices.ts';
import { dragFactor, type SchemeParameters } from '../basin.ts';
import { sourcesSource } from '../devices.ts';
import source from './linear.wgsl?raw';

/** What the linearised step of a scheme for a flat bottom is prepared with. */
export interface LinearFlatBottomParameters
  extends LinearStepParameters, Pick<SchemeParameters, 'nx' | 'ny' | 'dx' | 'dy' | 'gravity' | 'boundary' | 'drag'> {
  /** Where half steps are taken: on faces, as in Moler’s scheme, or at corners, as in Richtmyer’s. */
  readonly places: 'faces' | 'corners';
  /** Factor of δₓ²δᵧ²q, which a step takes away. */
  readonly damping: number;
}

const part = partsOf(source);

/** Numbers of a step. */
const NUMBERS = {
  nx: 'i32',
  ny: 'i32',
  /** Index into BOUNDARY_CODES. */
  boundaryX: 'i32',
  boundaryY: 'i32',
  /** m/s² */
  gravity: 'f32',
  /** R_x and R_y of linear.ts. */
  fullX: 'f32',
  fullY: 'f32',
  /** What drag leaves of the momenta in half a step: 1 without. */
  drag: 'f32',
  /** Factor of δₓ²δᵧ²q. */
  damping: 'f32',
} as const;

const LINEAR_FLAT_BOTTOM = parameterBlock('LinearFlatBottom', {
  ...NUMBERS,
  hasCorners: 'flag',
  isAdjoint: 'flag',
  rowsPerBand: 'i32',
  /** Fields, [h, hu, hv][y][x]. */
  before: 'pointer',
  input: 'pointer',
  output: 'pointer',
});

const PARAMETERS = uniformBlock('Parameters', { ...NUMBERS, nx: 'u32', ny: 'u32', boundaryX: 'u32', boundaryY: 'u32' });

/** The numbers of a step: every form has them. */
function numbersOf({
  nx,
  ny,
  dx,
  dy,
  gravity,
  boundary,
  drag = 0,
  damping,
  timeStep,
  places,
}: LinearFlatBottomParameters) {
  const share = places === 'corners' ? 0.5 : 1;
  return {
    nx,
    ny,
    boundaryX: BOUNDARY_CODES[boundary.x],
    boundaryY: BOUNDARY_CODES[boundary.y],
    gravity,
    fullX: (share * timeStep) / dx,
    fullY: (share * timeStep) / dy,
    drag: dragFactor(drag, timeStep / 2),
    damping,
  };
}

/** Arrays of rows and of places that a band keeps, and bytes of one, as in linear.as.ts. */
const SCRATCH_ARRAYS = 3 * 17 + 3 * 6;

function rowBytes(nx: number): number {
  return 4 * (4 * Math.ceil((nx + 1) / 4) + 12);
}

/** In SIMD: a part of a task is a band of rows. */
export const linearFlatBottomWasm: WasmOperator<LinearFlatBottomParameters, LinearStepFields> = (
  builder,
  parameters,
) => {
  const { nx, ny, places, direction } = parameters;
  const { rowsPerBand, parts } = bandsOf({ nx, ny, members: 1 });
  const numbers = {
    ...numbersOf(parameters),
    hasCorners: places === 'corners',
    isAdjoint: direction === 'adjoint',
    rowsPerBand,
  };
  return onFields(
    builder.program('linearFlatBottom', LINEAR_FLAT_BOTTOM, numbers, SCRATCH_ARRAYS * rowBytes(nx)),
    parts,
  );
};

/** Invocations of a workgroup along x and y. */
const [LANES_X, LANES_Y] = [16, 16] as const;

export const linearFlatBottomWebGpu: WebGpuOperator<LinearFlatBottomParameters, LinearStepFields> = async (
  builder,
  parameters,
) => {
  const { nx, ny, places, direction } = parameters;
  const step = await builder.program({
    label: `flat-bottom-linear.${places}-${direction}`,
    code: [PARAMETERS.wgsl, sourcesSource, part('common'), part(places)],
    constants: { IS_ADJOINT: direction === 'adjoint' ? 1 : 0, LANES_X, LANES_Y },
    bindings: ['uniform', 'read', 'read', 'write'],
  });
  const uniform = builder.uniform('parameters', PARAMETERS, numbersOf(parameters));
  const workgroups = [Math.ceil(nx / (LANES_X - 1)), Math.ceil(ny / (LANES_Y - 1))] as const;
  return (recorder, { before, input, output }) => recorder.dispatch(step, [uniform, before, input, output], workgroups);
};
