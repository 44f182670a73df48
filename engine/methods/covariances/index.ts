/** Static background-error covariances B = V Vᵀ: their settings, and their square roots V. */
import type { Backend, RealField } from '../../compute/backend.ts';
import { perturbation } from '../../operators/ensemble/index.ts';
import type { ControlTransform, StaticControlTransform } from './control-transform.ts';

export { createControlTransform } from './control-transform.ts';
export type { ControlFactors, ControlTransform, StaticControlTransform } from './control-transform.ts';
export { controlPlanes, covarianceTuning, lengthTuning, lengthWarnings, shareOf } from './covariance.ts';
export { covarianceDefinition, covarianceField, covarianceProblems, type Covariance } from './registry.ts';

/**
 * A part of a transform that is made of others, which have a control vector each, one after the other in v. The others are its own:
 * it disposes of them.
 */
interface Part<Transform extends ControlTransform = ControlTransform> {
  readonly transform: Transform;
  readonly offset: number;
  readonly control: RealField;
}

/** @throws RangeError for none */
function partsOf<Transform extends ControlTransform>(backend: Backend, transforms: readonly Transform[]) {
  if (transforms.length === 0) throw new RangeError('found no control transforms to compose, allowed: one or more');
  let length = 0;
  const parts = transforms.map((transform, index): Part<Transform> => {
    const offset = length;
    length += transform.length;
    return { transform, offset, control: backend.allocate(`control.part${index}`, 'real', transform.length) };
  });
  return {
    length,
    parts,
    /** Queues the part of the control vector. */
    take({ transform, offset, control }: Part, whole: RealField): void {
      backend.copy(whole, control, { sourceOffset: offset, length: transform.length });
    },
    give({ transform, offset, control }: Part, whole: RealField): void {
      backend.copy(control, whole, { targetOffset: offset, length: transform.length });
    },
    dispose() {
      for (const { transform, control } of parts) for (const owned of [transform, control]) owned.dispose();
    },
  };
}

/** Water that is thin for one of them is so for what they are composed to. */
function thinDepthOfAll(transforms: readonly ControlTransform[]): number {
  return Math.max(...transforms.map(({ thinDepth = 0 }) => thinDepth));
}

function isStatic(transform: ControlTransform): transform is StaticControlTransform {
  return 'covariance' in transform;
}

/** Elements of a sum of terms that are known on the host. */
function elementsOfSum(
  transforms: readonly StaticControlTransform[],
): Pick<StaticControlTransform, 'variance' | 'covariance'> {
  return {
    variance(variable) {
      const [first, ...others] = transforms.map((transform) => transform.variance(variable));
      return others.reduce((total, each) => total.map((value, cell) => value + each[cell]), first);
    },
    covariance: (a, cellA, b, cellB) =>
      transforms.reduce((total, transform) => total + transform.covariance(a, cellA, b, cellB), 0),
  };
}

/**
 * B = Σ Bᵢ.
 *
 * @param stateLength elements of a state, the same for all
 * @throws RangeError for no transforms
 */
export function sum(
  backend: Backend,
  stateLength: number,
  transforms: readonly StaticControlTransform[],
): Promise<StaticControlTransform>;
export function sum(
  backend: Backend,
  stateLength: number,
  transforms: readonly ControlTransform[],
): Promise<ControlTransform>;
export async function sum(
  backend: Backend,
  stateLength: number,
  transforms: readonly ControlTransform[],
): Promise<ControlTransform> {
  const composed = partsOf(backend, transforms);
  const { length, parts } = composed;
  const term = backend.allocate('control.term', 'real', stateLength);
  const adding = await backend.prepare(perturbation, { members: 1, length: stateLength });
  return {
    length,
    ...(transforms.every(isStatic) && elementsOfSum(transforms)),
    thinDepth: thinDepthOfAll(transforms),
    apply(control, increment) {
      parts.forEach((part, index) => {
        composed.take(part, control);
        part.transform.apply(part.control, index === 0 ? increment : term);
        if (index > 0) adding.run({ noise: term, ensemble: increment });
      });
    },
    applyAdjoint(increment, control) {
      for (const part of parts) {
        part.transform.applyAdjoint(increment, part.control);
        composed.give(part, control);
      }
    },
    dispose() {
      composed.dispose();
      for (const owned of [term, adding]) owned.dispose();
    },
  };
}

/** A transform of some variables of a state, those that follow the ones of the part before. */
interface StackedPart {
  readonly transform: StaticControlTransform;
  readonly variables: number;
}

/**
 * B = diag(Bᵢ), part by part of the state's variables.
 *
 * @param cells of the grid
 * @throws RangeError for no parts
 */
export function stack(backend: Backend, cells: number, stacked: readonly StackedPart[]): StaticControlTransform {
  const transforms = stacked.map(({ transform }) => transform);
  const composed = partsOf(backend, transforms);
  const { length, parts } = composed;
  let variables = 0;
  const segments = stacked.map((part, index) => {
    const first = variables;
    variables += part.variables;
    const size = part.variables * cells;
    const label = `control.segment${index}`;
    return { ...part, first, offset: first * cells, size, state: backend.allocate(label, 'real', size) };
  });
  const segmentOf = (variable: number) => {
    const found = segments.findLast(({ first }) => first <= variable);
    if (found && variable < variables) return found;
    throw new RangeError(`found the variable ${variable}, the stack has ${variables}`);
  };
  return {
    length,
    thinDepth: thinDepthOfAll(transforms),
    variance(variable) {
      const { transform, first } = segmentOf(variable);
      return transform.variance(variable - first);
    },
    covariance(a, cellA, b, cellB) {
      const { transform, first } = segmentOf(a);
      return segmentOf(b).first === first ? transform.covariance(a - first, cellA, b - first, cellB) : 0;
    },
    apply(control, increment) {
      parts.forEach((part, index) => {
        const { state, offset, size } = segments[index];
        composed.take(part, control);
        part.transform.apply(part.control, state);
        backend.copy(state, increment, { targetOffset: offset, length: size });
      });
    },
    applyAdjoint(increment, control) {
      parts.forEach((part, index) => {
        const { state, offset, size } = segments[index];
        backend.copy(increment, state, { sourceOffset: offset, length: size });
        part.transform.applyAdjoint(state, part.control);
        composed.give(part, control);
      });
    },
    dispose() {
      composed.dispose();
      for (const { state } of segments) state.dispose();
    },
  };
}
