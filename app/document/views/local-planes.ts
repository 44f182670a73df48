/** What local analyses are made of, as planes that views draw: made of a snapshot's observations when they are first looked at. */
import { localSums, usedIn, type HostPlane, type LocalSums } from '../../../engine/index.ts';
import type { ViewFieldId } from '../../fields/fields.ts';
import type { ShownMethod, ShownSnapshot } from '../lines/shown.ts';

interface Known {
  readonly observations: HostPlane;
  readonly weight: HostPlane;
}

const sums = new WeakMap<ShownMethod, Known>();
const constants = new WeakMap<ShownMethod, HostPlane>();

function host(values: Float32Array): HostPlane {
  return { kind: 'host', values };
}

function sumsOf(snapshot: ShownSnapshot, method: ShownMethod): Known | undefined {
  const { volumes, observations = snapshot.observations, method: label } = method;
  if (!volumes) return undefined;
  const known = sums.get(method);
  if (known) return known;
  const { observations: count, weight }: LocalSums = localSums(volumes, observations, usedIn(observations, label));
  const found = { observations: host(count), weight: host(weight) };
  sums.set(method, found);
  return found;
}

function inflationOf(snapshot: ShownSnapshot, method: ShownMethod): HostPlane | undefined {
  const { inflation } = method;
  if (typeof inflation !== 'number') return inflation;
  const known = constants.get(method);
  if (known) return known;
  const { eta } = snapshot.truth;
  const cells = eta.kind === 'host' ? eta.values.length : eta.cells;
  const plane = host(new Float32Array(cells).fill(inflation));
  constants.set(method, plane);
  return plane;
}

/** @returns the numbers of a field of local analyses, the same object for the same snapshot; undefined for other fields, and for a method that has none */
export function localPlane(snapshot: ShownSnapshot, method: ShownMethod, field: ViewFieldId): HostPlane | undefined {
  if (field === 'local-observations') return sumsOf(snapshot, method)?.observations;
  if (field === 'local-weight') return sumsOf(snapshot, method)?.weight;
  return field === 'inflation' ? inflationOf(snapshot, method) : undefined;
}
