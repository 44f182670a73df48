/** Looking into a minimisation: what the stage shows of it, and what ends it. */
import { signal } from '@preact/signals';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createInside, plainIterations, incrementPlanes, keptPlace } from '../../../../app/features/inside/inside.ts';
import type { InsideParts } from '../../../../app/features/inside/inside.ts';
import {
  commonAxis,
  costAxis,
  insideTable,
  iterationAxis,
  ritzAxis,
  ritzLines,
} from '../../../../app/figures/minimisation-lines.ts';
import type { MinimisationCourse, MinimisationExplanation } from '../../../../engine/index.ts';
import type { ShownPlanes } from '../../../../app/document/views/shown-planes.ts';

const CELLS = 2;

/** A minimisation that kept the increment (k, −k) after these iterations k, with Ritz values 1 … k. */
function course(iterations: number, kept: readonly number[]): MinimisationCourse {
  const column = Float64Array.from({ length: iterations + 1 }, (_, k) => 10 - k);
  return {
    iterations,
    converged: true,
    cost: column,
    backgroundCost: column,
    observationCost: column,
    residual: column,
    kept: Uint32Array.from(kept),
    increments: Float32Array.from(kept.flatMap((k) => [k, -k])),
    largest: Math.max(0, ...kept),
    ritzValues: kept.map((k) => Float64Array.from({ length: k }, (_, i) => i + 1)),
  };
}

const EXPLANATION: MinimisationExplanation = {
  variable: { name: 'h', unit: 'm' },
  tolerance: 1e-4,
  preconditioned: course(3, [1, 2, 3]),
  plain: course(9, [2, 4, 6, 8, 9]),
};

/** A run of one 3D-Var in which cycle 5 is on screen. */
function situation(answer: () => Promise<MinimisationExplanation | undefined> = () => Promise.resolve(EXPLANATION)) {
  const cycle = signal(5);
  const runNumber = signal(1);
  const shown = signal<ShownPlanes | undefined>(undefined);
  const isOn = signal(false);
  const asked: unknown[] = [];
  const calls: string[] = [];
  const cancels: ((() => void) | undefined)[] = [];
  const parts = {
    course: { cycle, runNumber, info: signal({ basin: { nx: CELLS, ny: 1 } }) },
    controller: {
      pause: () => calls.push('pause'),
      // Of the cycles up to 8 those are stored.
      scrub: (to: number) => (cycle.value = Math.min(8, to)),
      endAgain: () => calls.push('end'),
      againAt: (at: number) =>
        Promise.resolve({
          cycle: at,
          ask: (question: unknown) => {
            asked.push(question);
            return answer();
          },
          dispose: () => calls.push('dispose'),
        }),
    },
    shown,
    progress: {
      beginWork(_title: string, cancel?: () => void) {
        cancels.push(cancel);
        return { update: () => undefined, end: () => calls.push('worked') };
      },
    },
  };
  const xray = { isOn, leave: () => (isOn.value = false) };
  const inside = createInside({ ...parts, xray } as unknown as InsideParts);
  const planes = (): readonly number[] => [...(shown.value?.planes.get('3dvar') ?? [])];
  return { inside, isOn, cycle, runNumber, shown, asked, calls, cancels, planes };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('shows the increment of the method as far as it has come, in colours that stay', async () => {
  const { inside, shown, asked, calls, planes } = situation();
  await inside.open({ method: '3dvar', cycle: 5 }, 3);
  expect(asked).toEqual([
    { kind: 'explanation', method: '3dvar', cycle: 5, question: { kind: 'minimisation', iterations: 24 } },
  ]);
  // The run beside the run is not needed any more.
  expect(calls).toEqual(['pause', 'dispose', 'worked']);
  expect(inside.iteration.value).toBe(3);
  expect(planes()).toEqual([3, -3]);
  expect(shown.value).toMatchObject({ symbol: 'δη', unit: 'm', scale: 'diverging', range: [-10, 10], lift: 'value' });
  inside.show(1);
  expect(planes()).toEqual([1, -1]);
  expect(shown.value?.range).toEqual([-10, 10]);
  inside.show(-4);
  expect(planes()).toEqual([0, 0]);
  inside.choose('plain');
  inside.show(5.2);
  // Not all were kept: the latest up to the iteration.
  expect([inside.iteration.value, planes()]).toEqual([5, [4, -4]]);
  expect(shown.value?.title).toBe('Increment after iteration 5, unpreconditioned');
  inside.choose('preconditioned');
  expect([inside.iteration.value, planes()]).toEqual([3, [3, -3]]);
  inside.close();
  expect([inside.state.value.kind, shown.value]).toEqual(['closed', undefined]);
});

it('plays from increment to increment and stops at the last', async () => {
  const { inside, planes } = situation();
  await inside.open({ method: '3dvar', cycle: 5 }, 3);
  inside.choose('plain');
  inside.show(9);
  inside.play();
  const seen = [inside.iteration.value];
  while (inside.playing.value) {
    vi.advanceTimersToNextTimer();
    seen.push(inside.iteration.value);
  }
  expect(seen).toEqual([0, 2, 4, 6, 8, 9, 9]);
  expect(planes()).toEqual([9, -9]);
  inside.play();
  inside.pause();
  expect([inside.iteration.value, vi.getTimerCount()]).toEqual([0, 0]);
});

it.each([
  ['another cycle', ({ cycle }: ReturnType<typeof situation>) => (cycle.value = 6)],
  ['another run', ({ runNumber, cycle }: ReturnType<typeof situation>) => ((cycle.value = -1), (runNumber.value = 2))],
])('%s gives the fields back', async (_, change) => {
  const now = situation();
  await now.inside.open({ method: '3dvar', cycle: 5 }, 3);
  now.inside.play();
  change(now);
  expect([now.inside.state.value.kind, now.shown.value]).toEqual(['closed', undefined]);
  expect([now.inside.playing.value, vi.getTimerCount()]).toEqual([false, 0]);
});

it('leaves the stage to whoever else shows planes there', async () => {
  const { inside, shown } = situation();
  await inside.open({ method: '3dvar', cycle: 5 }, 3);
  const other = { planes: new Map() } as unknown as ShownPlanes;
  shown.value = other;
  expect(inside.state.value.kind).toBe('closed');
  expect(shown.value).toBe(other);
});

it('and an X-ray end each other', async () => {
  const { inside, isOn, shown, calls } = situation();
  isOn.value = true;
  const opening = inside.open({ method: '3dvar', cycle: 5 }, 3);
  expect(isOn.value).toBe(false);
  isOn.value = true;
  // What is computed again for it ends with it.
  expect([inside.state.value.kind, calls.at(-1)]).toEqual(['closed', 'end']);
  await opening;
  expect(shown.value).toBeUndefined();
});

it('reports what went wrong, and asks again', async () => {
  let fails = true;
  const { inside, shown, calls } = situation(() =>
    fails ? Promise.reject(new Error('the worker broke down')) : Promise.resolve(EXPLANATION),
  );
  await inside.open({ method: '3dvar', cycle: 5 }, 3);
  expect(inside.state.value).toMatchObject({ kind: 'failed', cycle: 5, message: 'the worker broke down' });
  expect(shown.value).toBeUndefined();
  expect(calls).toContain('dispose');
  fails = false;
  await inside.open({ method: '3dvar', cycle: 5 }, 3);
  expect(inside.state.value.kind).toBe('open');
});

it('goes to the cycle, and says where that is not stored any more', async () => {
  const { inside, cycle, shown } = situation();
  await inside.open({ method: '3dvar', cycle: 3 }, 3);
  expect([cycle.value, inside.state.value.kind, shown.value !== undefined]).toEqual([3, 'open', true]);
  await inside.open({ method: '3dvar', cycle: 9 }, 3);
  expect([inside.state.value.kind, shown.value]).toEqual(['failed', undefined]);
});

it('forgets an answer that nobody waits for any more', async () => {
  const { inside, shown, calls, cancels } = situation();
  const opening = inside.open({ method: '3dvar', cycle: 5 }, 3);
  expect(inside.state.value).toMatchObject({ kind: 'computing', cycle: 5 });
  cancels[0]?.();
  await opening;
  expect([inside.state.value.kind, shown.value]).toEqual(['closed', undefined]);
  expect(calls).toEqual(['pause', 'end', 'worked']);
});

it('asks for some times as many iterations without preconditioning, within bounds', () => {
  expect([1, 8, 12, 20, 500].map(plainIterations)).toEqual([24, 24, 36, 60, 60]);
});

it('finds what was kept of an iteration', () => {
  expect([0, 1, 2, 3, 9].map((k) => keptPlace(EXPLANATION.plain, k))).toEqual([-1, -1, 0, 0, 4]);
  const planes = incrementPlanes(EXPLANATION, CELLS);
  // A plane that is the same is the same array: it is not uploaded again.
  expect(planes.at('plain', 2)).toBe(planes.at('plain', 3));
  expect(planes.at('preconditioned', 0)).toBe(planes.at('plain', 1));
});

it('draws the outermost Ritz values as lines, those between them behind, each by its rank from above', () => {
  const [largest, smallest] = ritzLines(EXPLANATION.preconditioned, 'red');
  expect(largest.points).toEqual([1, 2, 3].map((k) => ({ x: k, y: k })));
  expect(smallest.points).toEqual([1, 2, 3].map((k) => ({ x: k, y: 1 })));
  expect(largest.bundle).toEqual([[{ x: 3, y: 2 }]]);
  expect(ritzAxis(EXPLANATION)('Ritz values')).toMatchObject({ scale: 'linear', domain: [0, 9] });
});

it('puts both on the same axes, in decades where the values take them', () => {
  expect(commonAxis([0.01, 5])('J')).toMatchObject({ scale: 'log', domain: [0.01, 5] });
  expect(commonAxis([2, 0, 5])('J')).toMatchObject({ scale: 'linear', domain: [0, 5] });
  // J does not take decades, whatever its parts begin with.
  expect(commonAxis([4, 5], [0.001, 4, 5])('J')).toMatchObject({ scale: 'linear', domain: [0, 5] });
  expect(costAxis(EXPLANATION)('J')).toMatchObject({ label: 'J', scale: 'linear', domain: [0, 10] });
  expect(iterationAxis([3, 9]).domain).toEqual([0, 9]);
  expect(iterationAxis([0, 0]).domain).toEqual([0, 1]);
});

it('writes both beside each other into one table', () => {
  const { columns, rows } = insideTable(EXPLANATION);
  expect(columns).toHaveLength(13);
  expect(rows).toHaveLength(10);
  expect(rows[3]).toEqual([3, 7, 7, 7, 7, 1, 3, 7, 7, 7, 7, null, null]);
  expect(rows[9]).toEqual([9, null, null, null, null, null, null, 1, 1, 1, 1, 1, 9]);
});
