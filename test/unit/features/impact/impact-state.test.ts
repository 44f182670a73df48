/** Impacts in the window: computed on request, or once a run comes to rest at the cycle that a link or a lesson shows. */
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHostPlanes, createReferenceBackend } from '../../../../engine/index.ts';
import { openRunIn } from '../../../../app/document/run/open-run.ts';
import { createRunView, type RunView } from '../../../../app/document/run-view.ts';
import { impactOf } from '../../../../app/features/impact/impact-state.ts';
import { channelTo } from '../../run/hold.ts';
import { tinyScenario } from '../../document/run/tiny-scenario.ts';
import { laboratoryOf } from '../../page/laboratory.ts';
import { soon } from '../../../setup/soon.ts';

const openRun = openRunIn({
  findAdapter: () => Promise.resolve(undefined),
  openGpu: () => Promise.reject(new Error('there is no GPU here')),
  startWorker() {
    const backend = createReferenceBackend();
    return channelTo(() => ({ backend, planes: createHostPlanes(backend), yieldToEventLoop: () => turn() }));
  },
});
const patience = { timeout: 20_000 };
const BY_NETWORK = { lead: 2, verification: 'analysis', rows: 'network' } as const;

let run: RunView;
async function begin(): Promise<void> {
  run.controller.start(tinyScenario(), {}, { play: false });
  await soon(() => {
    if (run.course.status.value !== 'ready') throw new Error('the run is not ready yet');
  });
}
beforeEach(async () => {
  const laboratory = laboratoryOf();
  laboratory.preferences.reducedMotion.value = true;
  run = createRunView(laboratory, openRun);
  await begin();
});
afterEach(() => run.dispose());

const known = (cycle: number) =>
  expect.poll(() => impactOf(run).state.value, patience).toMatchObject({ kind: 'known', cycle });

describe('impacts that are shown', () => {
  it('are computed of the cycle at which the run comes to rest, and are what a link has', async () => {
    const impact = impactOf(run);
    impact.show(BY_NETWORK);
    expect(impact.viewed.value).toBeUndefined();
    await run.controller.runTo(3);
    await known(3);
    const { state, viewed } = impact;
    expect(state.value.kind === 'known' && [...state.value.byMethod.keys()]).toContain('letkf');
    expect(viewed.value).toEqual(BY_NETWORK);
    expect(run.heads.value?.cycle).toBe(3);
    // Another cycle is looked at without them.
    run.controller.scrub(2);
    expect([viewed.value, run.heads.value]).toEqual([undefined, undefined]);
  });

  it('are of the run that begins again with other settings, and of no later one', async () => {
    const impact = impactOf(run);
    await run.controller.runTo(1);
    impact.show(BY_NETWORK);
    await begin();
    await run.controller.runTo(2);
    await known(2);
    await begin();
    expect([impact.isShown.value, impact.state.value]).toEqual([false, { kind: 'none' }]);
  });

  it('end with a view that has none', async () => {
    const impact = impactOf(run);
    await run.controller.runTo(1);
    await impact.compute();
    await known(1);
    impact.show(undefined);
    expect([impact.state.value, impact.viewed.value, run.heads.value]).toEqual([
      { kind: 'none' },
      undefined,
      undefined,
    ]);
  });
});
