/** What an X-ray is of: a point, or an observation; and where in the model's state that is. */
import type { BasinInfo, SnapshotObservations, XraySubject } from '../../../engine/index.ts';
import { edgeIndex } from '../../document/views/field-values.ts';
import type { GridPoint } from '../../document/views/view-state.ts';

export type { XraySubject } from '../../../engine/index.ts';

/** What the views show of a subject: what links it with the rest, or what the observation alone changes. */
const MEASURES = ['correlation', 'covariance', 'increment'] as const;
export type Measure = (typeof MEASURES)[number];

/** Where a subject is. */
export interface SubjectPlace {
  /** In grid units. */
  readonly at: GridPoint;
  /** The cell of the state that it is in, or nearest to. */
  readonly cell: GridPoint;
  /** Variable of the model's state: what is observed, or what it is made of. */
  readonly variable: string;
}

/** @returns the state's variable that an observed one is, or is of first of all */
function stateVariableOf(observed: string, variables: readonly string[]): string {
  const made: Readonly<Record<string, string>> = { eta: 'h', u: 'hu', v: 'hv', speed: 'hu' };
  const component = /^state(\d+)$/.exec(observed)?.[1];
  const found = component === undefined ? (made[observed] ?? observed) : variables[Number(component)];
  return variables.find((name) => name === found) ?? variables[0];
}

/** @returns whether two subjects are one, whatever the observation is taken to have read */
export function sameSubject(a: XraySubject | undefined, b: XraySubject | undefined): boolean {
  if (a?.kind === 'point' && b?.kind === 'point') return a.x === b.x && a.y === b.y && a.variable === b.variable;
  return a?.kind === 'observation' && b?.kind === 'observation' && a.index === b.index;
}

/** @returns whether two subjects are one, and an observation of them is taken to have read the same */
export function sameReading(a: XraySubject | undefined, b: XraySubject | undefined): boolean {
  if (!sameSubject(a, b)) return false;
  if (a?.kind !== 'observation' || b?.kind !== 'observation') return true;
  return a.value === b.value && a.errorStd === b.errorStd;
}

/** @returns where the subject is in a cycle; undefined for an observation that the cycle does not have */
export function placeOf(
  subject: XraySubject,
  { nx, ny, periodicX, periodicY }: Pick<BasinInfo, 'nx' | 'ny' | 'periodicX' | 'periodicY'>,
  observations: Pick<SnapshotObservations, 'x' | 'y' | 'variable'>,
  variables: readonly string[],
): SubjectPlace | undefined {
  if (subject.kind === 'point') {
    const at = { x: subject.x, y: subject.y };
    return { at, cell: at, variable: subject.variable };
  }
  const { index } = subject;
  if (index >= observations.x.length) return undefined;
  const at = { x: observations.x[index], y: observations.y[index] };
  const cell = { x: edgeIndex(Math.round(at.x), nx, periodicX), y: edgeIndex(Math.round(at.y), ny, periodicY) };
  return { at, cell, variable: stateVariableOf(observations.variable[index], variables) };
}
