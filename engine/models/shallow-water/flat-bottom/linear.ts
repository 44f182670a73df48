/**
 * The step of a scheme for a flat bottom, linearised. Both schemes take half steps at places between cells, faces or corners, and
 * from there a full step: with s_k = ±1 the side of the place, along x or y, on which the cell k is,
 *
 *   q½ = mean(q_k) − Σ_k (r_x s_k f(q_k) + r_y t_k g(q_k)),     q_k ← q_k + s_k R_x f(q½) + t_k R_y g(q½).
 *
 * With A = f′ and B = g′ at the cells and at the places, a place adds to its cells in the tangent and in the adjoint
 *
 *   δq½ = mean(δq_k) − Σ_k (r_x s_k A_k + r_y t_k B_k) δq_k,     δq_k ← δq_k + (s_k R_x A½ + t_k R_y B½) δq½;
 *   λ½ = Σ_k (s_k R_x A½ + t_k R_y B½)ᵀ λ_k,                     λ_k ← λ_k + (1/K − r_x s_k A_k − r_y t_k B_k)ᵀ λ½.
 *
 * Ghost cells copy cells of the basin, momenta across a wall negated; the adjoint adds the sensitivities to them to those of these cells.
 */
import type { ArraysOf, Cost, Operator, RealArray } from '../../../compute/backend.ts';
import { parameterBlock, uniformBlock } from '../../../compute/parameter-block.ts';
import { onFields, type WasmOperator } from '../../../compute/wasm/program.ts';
import { partsOf, type WebGpuOperator } from '../../../compute/webgpu/program.ts';
import { LINEAR_STEP_FIELDS, type LinearStepFields, type LinearStepParameters } from '../../model.ts';
import { bandsOf, BOUNDARY_CODES } from '../../stepping.ts';
import { sourcesSource, dragFactor, sourceCell, sourceSign, type SchemeParameters } from '../basin.ts';
import source from './linear.wgsl?raw';

/** A kind of places between cells: how many, the cell before the first, and the cells around each. */
interface Places {
  readonly columns: number;
  readonly rows: number;
  /** Index of the first cell around the first place on the grid with its ghost cells. */
  readonly first: number;
  /** Offsets of the cells around a place from the first. */
  readonly cells: readonly number[];
  /** s_k and t_k. */
  readonly alongX: readonly number[];
  readonly alongY: readonly number[];
}

function placesOf(kind: LinearFlatBottomParameters['places'], nx: number, ny: number): readonly Places[] {
  const width = nx + 2;
  if (kind === 'corners') {
    const cells = [0, 1, width, width + 1];
    return [{ columns: nx + 1, rows: ny + 1, first: 0, cells, alongX: [-1, 1, -1, 1], alongY: [-1, -1, 1, 1] }];
  }
  return [
    { columns: nx + 1, rows: ny, first: width, cells: [0, 1], alongX: [-1, 1], alongY: [0, 0] },
    { columns: nx, rows: ny + 1, first: 1, cells: [0, width], alongX: [0, 0], alongY: [-1, 1] },
  ];
}

/** A vector of depth and momenta. */
type Triple = Float64Array;

const VARIABLES = [0, 1, 2] as const;

/** Weights of δₓ²δᵧ²q along an axis. */
const SECOND_DIFFERENCE = [1, -2, 1] as const;

function linearFlatBottomReference(
  parameters: LinearFlatBottomParameters,
): (arrays: ArraysOf<LinearStepFields>) => void {
  const { nx, ny, dx, dy, gravity: g, boundary, drag = 0, damping, timeStep, direction } = parameters;
  const cells = nx * ny;
  const width = nx + 2;
  const planes = (): Triple[] => VARIABLES.map(() => new Float64Array(width * (ny + 2)));
  // With ghost cells: the state, its velocities, the input and the output.
  const q = planes();
  const [, u, v] = planes();
  const input = planes();
  const output = planes();
  const kinds = placesOf(parameters.places, nx, ny);
  const share = kinds[0].cells.length === 2 ? 1 : 0.5;
  const [fullX, fullY] = [(share * timeStep) / dx, (share * timeStep) / dy];
  const [halfX, halfY] = [fullX / 2, fullY / 2];
  /** What drag leaves of a momentum in half a step. */
  const kept = dragFactor(drag, timeStep / 2);
  /** q½, and vectors there. */
  const half = new Float64Array(3);
  const changed = new Float64Array(3);
  const product = new Float64Array(3);

  /** Loads cells and ghost cells of a state or of a vector like it, momenta times `factor`. */
  function load(state: RealArray, into: readonly Triple[], factor: number): void {
    for (let j = -1; j <= ny; j++) {
      const row = sourceCell(j, ny, boundary.y) * nx;
      const signY = factor * sourceSign(j, ny, boundary.y);
      for (let i = -1; i <= nx; i++) {
        const from = row + sourceCell(i, nx, boundary.x);
        const to = (j + 1) * width + i + 1;
        into[0][to] = state[from];
        into[1][to] = factor * sourceSign(i, nx, boundary.x) * state[from + cells];
        into[2][to] = signY * state[from + 2 * cells];
      }
    }
  }

  /** Cells alone, 0 beyond them. */
  function loadInside(state: RealArray, into: readonly Triple[]): void {
    for (const variable of VARIABLES) {
      const factor = variable === 0 ? 1 : kept;
      into[variable].fill(0);
      for (let cell = 0; cell < cells; cell++) {
        into[variable][placeOf(cell)] = factor * state[variable * cells + cell];
      }
    }
  }

  function placeOf(cell: number): number {
    return (Math.floor(cell / nx) + 1) * width + (cell % nx) + 1;
  }

  /** `into` += `factor` A `d`, A = f′ where depth and velocities are those. */
  function addAlongX(into: Triple, factor: number, h: number, vx: number, vy: number, d: Triple): void {
    into[0] += factor * d[1];
    into[1] += factor * ((g * h - vx * vx) * d[0] + 2 * vx * d[1]);
    into[2] += factor * (vx * d[2] + vy * d[1] - vx * vy * d[0]);
  }

  /** `into` += `factor` Aᵀ `d` */
  function addAlongXAdjoint(into: Triple, factor: number, h: number, vx: number, vy: number, d: Triple): void {
    into[0] += factor * ((g * h - vx * vx) * d[1] - vx * vy * d[2]);
    into[1] += factor * (d[0] + 2 * vx * d[1] + vy * d[2]);
    into[2] += factor * vx * d[2];
  }

  /** `into` += `factor` B `d`, B = g′ */
  function addAlongY(into: Triple, factor: number, h: number, vx: number, vy: number, d: Triple): void {
    into[0] += factor * d[2];
    into[1] += factor * (vy * d[1] + vx * d[2] - vx * vy * d[0]);
    into[2] += factor * ((g * h - vy * vy) * d[0] + 2 * vy * d[2]);
  }

  /** `into` += `factor` Bᵀ `d` */
  function addAlongYAdjoint(into: Triple, factor: number, h: number, vx: number, vy: number, d: Triple): void {
    into[0] += factor * ((g * h - vy * vy) * d[2] - vx * vy * d[1]);
    into[1] += factor * vy * d[1];
    into[2] += factor * (d[0] + vx * d[1] + 2 * vy * d[2]);
  }

  /** `half` = q½ at the place whose first cell is `first`. */
  function takeHalfStep({ cells: around, alongX, alongY }: Places, first: number): void {
    half.fill(0);
    for (let k = 0; k < around.length; k++) {
      const at = first + around[k];
      const [depth, vx, vy] = [q[0][at], u[at], v[at]];
      const pressure = 0.5 * g * depth * depth;
      const [rx, ry] = [halfX * alongX[k], halfY * alongY[k]];
      half[0] += depth / around.length - rx * q[1][at] - ry * q[2][at];
      half[1] += q[1][at] / around.length - rx * (q[1][at] * vx + pressure) - ry * q[1][at] * vy;
      half[2] += q[2][at] / around.length - rx * q[2][at] * vx - ry * (q[2][at] * vy + pressure);
    }
  }

  function tangentAt({ cells: around, alongX, alongY }: Places, first: number): void {
    changed.fill(0);
    for (let k = 0; k < around.length; k++) {
      const at = first + around[k];
      for (const variable of VARIABLES) {
        product[variable] = input[variable][at];
        changed[variable] += product[variable] / around.length;
      }
      addAlongX(changed, -halfX * alongX[k], q[0][at], u[at], v[at], product);
      addAlongY(changed, -halfY * alongY[k], q[0][at], u[at], v[at], product);
    }
    const [depth, vx, vy] = [half[0], half[1] / half[0], half[2] / half[0]];
    for (let k = 0; k < around.length; k++) {
      product.fill(0);
      addAlongX(product, fullX * alongX[k], depth, vx, vy, changed);
      addAlongY(product, fullY * alongY[k], depth, vx, vy, changed);
      for (const variable of VARIABLES) output[variable][first + around[k]] += product[variable];
    }
  }

  function adjointAt({ cells: around, alongX, alongY }: Places, first: number): void {
    const [depth, vx, vy] = [half[0], half[1] / half[0], half[2] / half[0]];
    changed.fill(0);
    for (let k = 0; k < around.length; k++) {
      for (const variable of VARIABLES) product[variable] = input[variable][first + around[k]];
      addAlongXAdjoint(changed, fullX * alongX[k], depth, vx, vy, product);
      addAlongYAdjoint(changed, fullY * alongY[k], depth, vx, vy, product);
    }
    for (let k = 0; k < around.length; k++) {
      const at = first + around[k];
      for (const variable of VARIABLES) product[variable] = changed[variable] / around.length;
      addAlongXAdjoint(product, -halfX * alongX[k], q[0][at], u[at], v[at], changed);
      addAlongYAdjoint(product, -halfY * alongY[k], q[0][at], u[at], v[at], changed);
      for (const variable of VARIABLES) output[variable][at] += product[variable];
    }
  }

  /** `output` −= damping δₓ²δᵧ² `input` in the cells, or its adjoint. */
  function damp(): void {
    if (damping === 0) return;
    for (const variable of VARIABLES) {
      for (let cell = 0; cell < cells; cell++) {
        const centre = placeOf(cell);
        for (let b = -1; b <= 1; b++) {
          for (let a = -1; a <= 1; a++) {
            const weight = damping * SECOND_DIFFERENCE[a + 1] * SECOND_DIFFERENCE[b + 1];
            const beside = centre + b * width + a;
            if (direction === 'tangent') output[variable][centre] -= weight * input[variable][beside];
            else output[variable][beside] -= weight * input[variable][centre];
          }
        }
      }
    }
  }

  function storeInside(state: RealArray): void {
    for (const variable of VARIABLES) {
      const factor = variable === 0 ? 1 : kept;
      for (let cell = 0; cell < cells; cell++) {
        state[variable * cells + cell] = factor * output[variable][placeOf(cell)];
      }
    }
  }

  /** The adjoint of `load`, momenta times `kept`. */
  function fold(state: RealArray): void {
    state.fill(0);
    for (let j = -1; j <= ny; j++) {
      const row = sourceCell(j, ny, boundary.y) * nx;
      const signY = kept * sourceSign(j, ny, boundary.y);
      for (let i = -1; i <= nx; i++) {
        const to = row + sourceCell(i, nx, boundary.x);
        const from = (j + 1) * width + i + 1;
        state[to] += output[0][from];
        state[to + cells] += kept * sourceSign(i, nx, boundary.x) * output[1][from];
        state[to + 2 * cells] += signY * output[2][from];
      }
    }
  }

  return ({ before, input: from, output: to }) => {
    load(before, q, kept);
    for (let at = 0; at < u.length; at++) {
      u[at] = q[1][at] / q[0][at];
      v[at] = q[2][at] / q[0][at];
    }
    if (direction === 'tangent') load(from, input, kept);
    else loadInside(from, input);
    for (const variable of VARIABLES) output[variable].set(input[variable]);
    const addAt = direction === 'tangent' ? tangentAt : adjointAt;
    for (const places of kinds) {
      for (let j = 0; j < places.rows; j++) {
        for (let i = 0; i < places.columns; i++) {
          const first = places.first + j * width + i;
          takeHalfStep(places, first);
          addAt(places, first);
        }
      }
    }
    damp();
    if (direction === 'tangent') storeInside(to);
    else fold(to);
  };
}

/** Floating-point operations of a cell: its flow, two places of about 90 with the half step, and the damping. */
const FLOPS_PER_CELL = 240;

/** Its fields are h, hu, hv of one state. */
export const linearFlatBottom: Operator<LinearFlatBottomParameters, LinearStepFields> = {
  name: 'flat-bottom-linear',
  fields: LINEAR_STEP_FIELDS,
  cost: ({ nx, ny }, elementBytes): Cost => ({
    bytes: 9 * nx * ny * elementBytes,
    flops: FLOPS_PER_CELL * nx * ny,
  }),
  implementations: {
    reference: linearFlatBottomReference,
    wasm: async () => linearFlatBottomWasm,
    webgpu: async () => linearFlatBottomWebGpu,
  },
};

/** What the linearised step of a scheme for a flat bottom is prepared with. */
interface LinearFlatBottomParameters
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
const linearFlatBottomWasm: WasmOperator<LinearFlatBottomParameters, LinearStepFields> = (builder, parameters) => {
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

const linearFlatBottomWebGpu: WebGpuOperator<LinearFlatBottomParameters, LinearStepFields> = async (
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
