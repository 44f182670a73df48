/** The linearised step of a scheme for a flat bottom on devices. */
import { uniformBlock } from '../../../compute/parameter-block.ts';
import { partsOf, type WebGpuOperator } from '../../../compute/webgpu/program.ts';
import type { LinearStepFields, LinearStepParameters } from '../../linear-step.ts';
import { BOUNDARY_CODES } from '../../stepping-devices.ts';
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

const PARAMETERS = uniformBlock('Parameters', {
  nx: 'u32',
  ny: 'u32',
  /** Index into BOUNDARY_CODES. */
  boundaryX: 'u32',
  boundaryY: 'u32',
  /** m/s² */
  gravity: 'f32',
  /** R_x and R_y of linear.ts. */
  fullX: 'f32',
  fullY: 'f32',
  /** What drag leaves of the momenta in half a step: 1 without. */
  drag: 'f32',
  /** Factor of δₓ²δᵧ²q. */
  damping: 'f32',
});

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

/** Invocations of a workgroup along x and y: of a basin, and of a single row of cells, which most of those would miss. */
const LANES = { basin: [16, 16], row: [128, 2] } as const;

export const linearFlatBottomWebGpu: WebGpuOperator<LinearFlatBottomParameters, LinearStepFields> = async (
  builder,
  parameters,
) => {
  const { nx, ny, places, direction } = parameters;
  const [LANES_X, LANES_Y] = ny === 1 ? LANES.row : LANES.basin;
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
