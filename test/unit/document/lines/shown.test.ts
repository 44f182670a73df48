import { describe, expect, it } from 'vitest';
import { branchSubject, createComposer, snapshotOf, transitWith } from '../../../../app/document/lines/shown.ts';
import type { ShownBranch } from '../../../../app/document/lines/shown.ts';
import type { Motion, Snapshot } from '../../../../engine/index.ts';
import { planesOnTheWay } from '../../../../app/stage/passage.ts';
import { subjectPlanes } from '../../../../app/stage/snapshot-numbers.ts';
import { transitBetween } from '../../../../app/document/run/history.ts';
import { snapshotOf as made } from '../run/fake-run.ts';

const FIRST = 2;
const SUBJECT = branchSubject(7, 'letkf');
const COLUMNS = [{ subject: SUBJECT, label: 'letkf' }];
const ofRun = [-1, 0, 1, 2, 3, 4].map((cycle) => made(cycle));

function branchAt(...cycles: readonly number[]): ShownBranch {
  const snapshots = cycles.map((cycle) => made(cycle));
  return { id: 7, columns: COLUMNS, first: FIRST, snapshots, motions: new Map() };
}

function atCycle(cycle: number): Snapshot {
  return ofRun[cycle + 1];
}

function motionTo(cycle: number): Motion {
  return {
    cycle,
    surfaces: [undefined, 'letkf'].map((method) => ({
      method,
      frames: [{ share: 0.5, eta: made(cycle).truth.eta }],
    })),
  };
}

describe('a branch beside a cycle of the run', () => {
  const branch = branchAt(1, 2, 3);

  it('is the run before its own cycles', () => {
    expect(snapshotOf(branch, atCycle(1))).toBe(atCycle(1));
  });

  it('is the same cycle of its own from there on, or the one that it has come to', () => {
    expect(snapshotOf(branch, atCycle(2))).toBe(branch.snapshots[1]);
    expect(snapshotOf(branch, atCycle(4))).toBe(branch.snapshots[2]);
  });
});

describe('a snapshot of run and branches', () => {
  it('is the run’s if there are none', () => {
    expect(createComposer()(atCycle(2), [])).toBe(atCycle(2));
  });

  it('has a method more, held to the truth and the observations of its branch', () => {
    const branch = branchAt(1, 2);
    const [, own] = branch.snapshots;
    const shown = createComposer()(atCycle(2), [branch]);
    expect(shown.methods.map(({ method }) => method)).toEqual(['letkf', SUBJECT]);
    expect(subjectPlanes(shown, SUBJECT, 'analysis', 'surface')).toMatchObject({
      eta: own.methods[0].analysis.eta,
      truthEta: own.truth.eta,
    });
    expect(subjectPlanes(shown, 'letkf', 'analysis', 'surface')?.truthEta).toBe(atCycle(2).truth.eta);
    expect(shown.methods[1].observations?.values).toBe(own.observations.values);
  });

  it('is the same one as long as nothing about it changes', () => {
    const compose = createComposer();
    const branch = branchAt(1, 2);
    const shown = compose(atCycle(2), [branch]);
    expect(compose(atCycle(2), [{ ...branch, snapshots: [...branch.snapshots, made(3)] }])).toBe(shown);
    expect(compose(atCycle(2), [{ ...branch, snapshots: [made(2)] }])).not.toBe(shown);
    expect(compose(atCycle(2), [{ ...branch, columns: [] }])).not.toBe(shown);
  });
});

describe('on the way', () => {
  const motion = motionTo(3);
  const way = transitBetween(atCycle(2), atCycle(3), motion, 1000, 0);
  if (!way) throw new Error('there is a way');

  it('a branch moves by its own frames, its truth with it', () => {
    const own = motionTo(3);
    const branch: ShownBranch = { ...branchAt(1, 2, 3), motions: new Map([[3, own]]) };
    const shown = transitWith(way, [branch], createComposer());
    const half = { leg: 'forecast', share: 0.5, weight: 0, glow: 0 } as const;
    const planes = planesOnTheWay(shown, SUBJECT, 'error', half);
    expect(planes?.eta).toBe(own.surfaces[1].frames[0].eta);
    expect(planes?.truthEta).toBe(own.surfaces[0].frames[0].eta);
    expect(planesOnTheWay(shown, 'letkf', 'error', half)?.truthEta).toBe(motion.surfaces[0].frames[0].eta);
  });

  it('one that has not come there rests', () => {
    const branch = branchAt(1, 2);
    const shown = transitWith(way, [branch], createComposer());
    const [from, to] = [shown.from, shown.to].map(({ methods }) => methods[1].analysis.eta);
    expect(from).toBe(to);
  });
});
