/**
 * The square root of the static background-error covariance, B = V Vᵀ:
 *
 *   V = K D N F,   Vᵀ = Fᵀ N D Kᵀ,
 *
 * F the recursive filter (or a Gaussian convolution) of each variable's plane, N its normalisation to unit variance, D the
 * standard deviations, K the geostrophic balance. B's correlation exp(−r²/2L²) is the square of F, which is
 * hence a Gaussian of standard deviation σ = L/√2. The adjoint is applied as such even where F is symmetric.
 */
import type { Backend, RealField } from '../../compute/backend.ts';
import type { Model } from '../../models/index.ts';
import { diagonal } from '../../operators/diagonal/index.ts';
import { balanceCoefficient, differenceWeight, geostrophicBalance } from '../../operators/geostrophic-balance/index.ts';
import type { FilterBands } from '../../operators/filtered-minimisation/index.ts';
import type { Coriolis } from '../../operators/geostrophic-balance/index.ts';
import { controlPlanes, deviationOf } from './covariance.ts';
import { thinDepthOf } from '../shared/wet-increment.ts';
import { covarianceDefinition, type Covariance } from './registry.ts';

/** What a state's control transform is made of where its variables' errors have nothing to do with each other. */
export interface ControlFactors {
  /** N D, [variable][y][x]; 0 in the planes beyond the control vector's. */
  readonly scale: RealField;
  /** Queues `filtered` = F `control`, in the state's first planes; the others are left as they are. */
  filter(control: RealField, filtered: RealField): void;
  /** Queues `control` = Fᵀ `filtered`. */
  filterAdjoint(filtered: RealField, control: RealField): void;
  /** Planes of the control vector, and F on each of them as banded matrices along the axes. */
  readonly planes: number;
  readonly bands: () => FilterBands;
}

/** V of some background-error covariance B = V Vᵀ, and its adjoint. */
export interface ControlTransform {
  /** Elements of the control vector. */
  readonly length: number;
  /** Depth of water, metres, below which increments by V shrink with the depth (shared/wet-increment.ts). Default 0. */
  readonly thinDepth?: number;
  /** V = diag(`scale`) F, where V is no more than that. */
  readonly factors?: ControlFactors;
  /** Queues `increment` = V `control`; `increment` is a state. */
  apply(control: RealField, increment: RealField): void;
  /** Queues `control` = Vᵀ `increment`. */
  applyAdjoint(increment: RealField, control: RealField): void;
  dispose(): void;
}

/** V of a B that is the same in every cycle, and known on the host. Its control vector is [variable][y][x]. */
export interface StaticControlTransform extends ControlTransform {
  /** Variance of the background error of a variable, [y][x], without what the balance adds. */
  variance(variable: number): Float64Array;
  /** B between two elements of the state: component a in one cell and b in another, with what the balance adds. */
  covariance(a: number, cellA: number, b: number, cellB: number): number;
}

/** An element of the unbalanced state, and its weight in an element of the balanced one. */
interface Part {
  readonly plane: number;
  readonly cell: number;
  readonly weight: number;
}

/**
 * @param physics gravity (m/s²) and rotation, for the balance
 * @throws RangeError when no variable has a standard deviation
 */
export async function createControlTransform(
  backend: Backend,
  model: Model,
  covariance: Covariance,
  physics: { readonly gravity: number; readonly coriolis: Coriolis },
): Promise<StaticControlTransform> {
  const { grid, variables } = model;
  const cells = grid.nx * grid.ny;
  const names = variables.map(({ name }) => name);
  const deviations = names.map((name) => deviationOf(covariance, name));
  const planes = controlPlanes(covariance, names);
  if (planes === 0) throw new RangeError('no variable has a background standard deviation above 0');
  const length = planes * cells;
  const filter = await covarianceDefinition(covariance.kind).prepare(covariance, backend, grid, planes);

  const unscaled = (cell: number): number =>
    filter.varianceX[cell % grid.nx] * filter.varianceY[Math.floor(cell / grid.nx)];
  const scale = new Float64Array(length);
  for (let plane = 0; plane < planes; plane++) {
    const own = scale.subarray(plane * cells, (plane + 1) * cells).fill(deviations[plane]);
    if (covariance.normalised) for (let cell = 0; cell < cells; cell++) own[cell] /= Math.sqrt(unscaled(cell));
  }
  const scaling = await backend.prepare(diagonal, { length, batch: 1 });
  const fields = {
    scale: backend.allocate('control.scale', 'real', variables.length * cells),
    filtered: backend.allocate('control.filtered', 'real', length),
    scaled: backend.allocate('control.scaled', 'real', variables.length * cells),
    unbalanced: backend.allocate('control.unbalanced', 'real', variables.length * cells),
  };
  // The planes beyond the control vector's get no increment.
  backend.write(fields.scale, new Float64Array(variables.length * cells));
  backend.write(fields.scale, scale);
  backend.write(fields.scaled, new Float64Array(variables.length * cells));
  const balance = covariance.balance === 'geostrophic' ? await prepareBalance(backend, model, physics) : undefined;

  /** The elements of the unbalanced state that an element of the balanced one is made of. */
  const partsOf = (component: number, cell: number): readonly Part[] => [
    { plane: component, cell, weight: 1 },
    ...(balance?.partsOf(component, cell) ?? []),
  ];
  const unbalancedCovariance = (a: Part, b: Part): number => {
    if (a.plane !== b.plane || a.plane >= planes) return 0;
    const { nx } = grid;
    const along = filter.gramX(a.cell % nx, b.cell % nx);
    const across = filter.gramY(Math.floor(a.cell / nx), Math.floor(b.cell / nx));
    return scale[a.plane * cells + a.cell] * scale[b.plane * cells + b.cell] * along * across;
  };

  const factors: ControlFactors = {
    scale: fields.scale,
    filter: (control, filtered) => filter.forward.run({ input: control, output: filtered }),
    filterAdjoint: (filtered, control) => filter.adjoint.run({ input: filtered, output: control }),
    planes,
    bands: filter.bands,
  };
  const [surface, ...momenta] = deviations;
  return {
    length,
    thinDepth: thinDepthOf(surface, Math.max(...momenta, 0), physics.gravity),
    ...(!balance && { factors }),
    covariance(a, cellA, b, cellB) {
      let sum = 0;
      for (const one of partsOf(a, cellA)) {
        for (const other of partsOf(b, cellB)) sum += one.weight * other.weight * unbalancedCovariance(one, other);
      }
      return sum;
    },
    variance: (variable) =>
      Float64Array.from({ length: cells }, (_, cell) =>
        variable < planes ? scale[variable * cells + cell] ** 2 * unscaled(cell) : 0,
      ),
    apply(control, increment) {
      filter.forward.run({ input: control, output: fields.filtered });
      scaling.run({ scale: fields.scale, input: fields.filtered, output: fields.scaled });
      if (balance) balance.apply(fields.scaled, increment);
      else backend.copy(fields.scaled, increment);
    },
    applyAdjoint(increment, control) {
      if (balance) balance.applyAdjoint(increment, fields.unbalanced);
      scaling.run({ scale: fields.scale, input: balance ? fields.unbalanced : increment, output: fields.filtered });
      filter.adjoint.run({ input: fields.filtered, output: control });
    },
    dispose() {
      for (const owned of [filter.forward, filter.adjoint, scaling, ...Object.values(fields)]) owned.dispose();
      balance?.dispose();
    },
  };
}

/** A cell's place on an axis whose cells are `stride` apart. */
interface AxisPlace {
  readonly place: number;
  readonly size: number;
  readonly stride: number;
  readonly periodic: boolean;
}

/** `factor` times the difference of the surface along an axis, in a cell. */
function slopeParts(cell: number, { place, size, stride, periodic }: AxisPlace, factor: number): Part[] {
  return ([-1, 0, 1] as const).flatMap((offset) => {
    const weight = differenceWeight(place, offset, size, periodic);
    const at = (place + offset + size) % size;
    return weight === 0 ? [] : [{ plane: 0, cell: cell + (at - place) * stride, weight: factor * weight }];
  });
}

/** K and Kᵀ, with the depth at rest: −bed. */
async function prepareBalance(
  backend: Backend,
  model: Model,
  physics: { readonly gravity: number; readonly coriolis: Coriolis },
) {
  const { nx, ny, dx, dy, periodicX, periodicY } = model.grid;
  const parameters = { nx, ny, dx, dy, periodicX, periodicY };
  const forward = await backend.prepare(geostrophicBalance, { ...parameters, transpose: false });
  const adjoint = await backend.prepare(geostrophicBalance, { ...parameters, transpose: true });
  const coefficient = backend.allocate('control.balance', 'real', nx * ny);
  const coefficients = balanceCoefficient(model.grid, model.bed ?? new Float64Array(nx * ny), physics);
  backend.write(coefficient, coefficients);
  return {
    /** What the balance adds to a component in a cell: nothing to the surface. */
    partsOf(component: number, cell: number): readonly Part[] {
      const [i, j] = [cell % nx, Math.floor(cell / nx)];
      const alongX = { place: i, size: nx, stride: 1, periodic: periodicX };
      const alongY = { place: j, size: ny, stride: nx, periodic: periodicY };
      if (component === 1) return slopeParts(cell, alongY, -coefficients[cell] / dy);
      if (component === 2) return slopeParts(cell, alongX, coefficients[cell] / dx);
      return [];
    },
    apply: (input: RealField, output: RealField) => forward.run({ coefficient, input, output }),
    applyAdjoint: (input: RealField, output: RealField) => adjoint.run({ coefficient, input, output }),
    dispose() {
      for (const owned of [forward, adjoint, coefficient]) owned.dispose();
    },
  };
}
