/**
 * The run and its branches in one snapshot: each column of a branch is a method more, with a name of its own, so that stage,
 * readout and cross-section show it as they show a method of the run. Pure functions.
 */
import type {
  MethodSnapshot,
  Motion,
  MovingSurface,
  Snapshot,
  SnapshotObservations,
  StatePlanes,
} from '../../../engine/index.ts';
import { TRUTH } from '../views/method-style.ts';
import type { Transit } from '../run/history.ts';

/** A method of a snapshot, or of a branch: then with what its branch has of its own. */
export interface ShownMethod extends MethodSnapshot {
  readonly truth?: StatePlanes;
  readonly observations?: SnapshotObservations;
}

export interface ShownSnapshot extends Snapshot {
  readonly methods: readonly ShownMethod[];
}

export interface ShownTransit extends Transit {
  readonly from: ShownSnapshot;
  readonly to: ShownSnapshot;
}

/** A method of a branch on the stage, or its truth. */
export interface BranchColumn {
  /** What it is called among the methods: unique in a page. */
  readonly subject: string;
  /** TRUTH for the truth, where it is another than the run's. */
  readonly label: string;
}

/** What of a branch is on the stage. */
export interface ShownBranch {
  readonly id: number;
  readonly columns: readonly BranchColumn[];
  /** The first cycle that is its own: what comes before is the run's. */
  readonly first: number;
  /** What it stored, ascending by cycle. */
  readonly snapshots: readonly Snapshot[];
  readonly motions: ReadonlyMap<number, Motion>;
}

/** No label of a scenario's method begins so. */
const BRANCH = '\u0000branch';

/** @returns what a method of a branch is called on the stage */
export function branchSubject(id: number, label: string): string {
  return `${BRANCH} ${id} ${label}`;
}

/** @returns the branch that a subject of the stage is of, by its id; undefined for what is of the run */
export function branchOf(subject: string): number | undefined {
  return subject.startsWith(BRANCH) ? Number.parseInt(subject.slice(BRANCH.length + 1), 10) : undefined;
}

/** @returns the truth that a subject is held to, by its name among what moves: of a method of a branch the branch's own */
export function truthOf(subject: string): string {
  return subject.startsWith(BRANCH) ? `${subject} truth` : TRUTH;
}

/** @returns what a branch shows beside a cycle of the run: the same cycle, or the one that it has come to */
export function snapshotOf({ first, snapshots }: ShownBranch, ofRun: Snapshot): Snapshot | undefined {
  return ofRun.cycle < first ? ofRun : snapshots.findLast(({ cycle }) => cycle <= ofRun.cycle);
}

/** @returns the branches that have stored the very cycle, or share it with the run: the others have not come to it, or released it */
export function branchesAt({ cycle }: Snapshot, branches: readonly ShownBranch[]): readonly ShownBranch[] {
  return branches.filter(({ first, snapshots }) => cycle < first || snapshots.some((stored) => stored.cycle === cycle));
}

function columnsOf(branch: ShownBranch, shown: Snapshot): ShownMethod[] {
  const { truth, methods, observations } = shown;
  return branch.columns.flatMap(({ subject, label }): ShownMethod[] => {
    if (label === TRUTH) {
      const state = { analysis: truth, forecast: truth, spread: undefined, truth };
      return [{ method: subject, ...state, observations: { ...observations, innovations: {} } }];
    }
    const found = methods.find(({ method }) => method === label);
    if (!found) return [];
    const own = observations.innovations[label];
    const innovations: SnapshotObservations['innovations'] = own ? { [subject]: own } : {};
    return [{ ...found, method: subject, truth, observations: { ...observations, innovations } }];
  });
}

interface Composed {
  readonly parts: readonly (Snapshot | undefined)[];
  readonly columns: readonly (readonly BranchColumn[])[];
  readonly shown: ShownSnapshot;
}

function same(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index]);
}

/** @returns gives for the same snapshots of run and branches the same snapshot again */
export function createComposer(): (ofRun: Snapshot, branches: readonly ShownBranch[]) => ShownSnapshot {
  const known = new WeakMap<Snapshot, Composed>();
  return (ofRun, branches) => {
    if (branches.length === 0) return ofRun;
    const parts = branches.map((branch) => snapshotOf(branch, ofRun));
    const columns = branches.map((branch) => branch.columns);
    const before = known.get(ofRun);
    if (before && same(before.parts, parts) && same(before.columns, columns)) return before.shown;
    const added = branches.flatMap((branch, index) => {
      const part = parts[index];
      return part ? columnsOf(branch, part) : [];
    });
    const shown = { ...ofRun, methods: [...ofRun.methods, ...added] };
    known.set(ofRun, { parts, columns, shown });
    return shown;
  };
}

function surfacesOf(branch: ShownBranch, { motion, to }: Transit): MovingSurface[] {
  const own = to.cycle < branch.first ? motion : branch.motions.get(to.cycle);
  const framesOf = (method: string | undefined): MovingSurface['frames'] =>
    own?.surfaces.find((surface) => surface.method === method)?.frames ?? [];
  return branch.columns.flatMap(({ subject, label }) => [
    { method: subject, frames: framesOf(label === TRUTH ? undefined : label) },
    { method: truthOf(subject), frames: framesOf(undefined) },
  ]);
}

/** @returns the water of run and branches on its way */
export function transitWith(
  transit: Transit,
  branches: readonly ShownBranch[],
  compose: ReturnType<typeof createComposer>,
): ShownTransit {
  if (branches.length === 0) return transit;
  const surfaces = branches.flatMap((branch) => surfacesOf(branch, transit));
  return {
    ...transit,
    from: compose(transit.from, branches),
    to: compose(transit.to, branches),
    motion: { ...transit.motion, surfaces: [...transit.motion.surfaces, ...surfaces] },
  };
}
