/** A cycle that has gone by is computed again beside the run, to the answers that it would have given then. */
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { createHostPlanes, createReferenceBackend } from '../../../../engine/index.ts';
import type { Checkpoint } from '../../../../engine/index.ts';
import { createAgain } from '../../../../app/document/run/again.ts';
import { openRunIn } from '../../../../app/document/run/open-run.ts';
import type { OpenRun } from '../../../../app/document/run/page-run.ts';
import { channelTo } from '../../run/hold.ts';
import { tinyScenario } from './tiny-scenario.ts';

const cleanUp: (() => void)[] = [];
afterEach(() => {
  for (const free of cleanUp.splice(0)) free();
});

const question = {
  kind: 'explanation',
  method: 'letkf',
  question: { kind: 'influence', variable: 'h', cell: { x: 4, y: 3 } },
} as const;

/** Runs in workers whose two sides are in this thread, and how many of them are open. */
function runs(): { readonly open: OpenRun; readonly alive: () => number } {
  let alive = 0;
  const open = openRunIn({
    findAdapter: () => Promise.resolve(undefined),
    openGpu: () => Promise.reject(new Error('there is no GPU here')),
    startWorker() {
      const backend = createReferenceBackend();
      const line = channelTo(() => ({ backend, planes: createHostPlanes(backend), yieldToEventLoop: () => turn() }));
      alive += 1;
      const close = (): void => {
        alive -= 1;
        line.close();
      };
      return { ...line, close };
    },
  });
  return { open, alive: () => alive };
}

it('answers of a cycle that has gone by as the run did then, from its start and from a checkpoint', async () => {
  const { open, alive } = runs();
  const scenario = tinyScenario();
  const run = open('reference', { scenario, files: {}, source: 'tiny', misfit: 'begin' }, {});
  cleanUp.push(() => run.dispose());
  run.observe({ forecasts: true, event: () => undefined });
  const then = [];
  let checkpoint: Checkpoint | undefined;
  for (let cycle = 0; cycle < 3; cycle++) {
    if (cycle === 1) checkpoint = await run.ask({ kind: 'checkpoint' });
    await run.step();
    then.push(await run.ask({ ...question, cycle }));
  }
  await expect(run.ask({ ...question, cycle: 1 })).rejects.toThrow(
    'found a question about cycle 1, the run is at cycle 2',
  );
  let kept: Checkpoint | undefined;
  const again = createAgain(open, () => ({ scenario, files: {}, backend: 'reference', before: () => kept }));
  cleanUp.push(() => again.dispose());
  const first = await again.at(1);
  expect(await first.ask({ ...question, cycle: 1 })).toEqual(then[1]);
  // Who asks about the same cycle is answered by the same run.
  expect(await again.at(1)).toBe(first);
  await expect.poll(alive).toBe(2);
  kept = checkpoint;
  const second = await again.at(2);
  expect(await second.ask({ ...question, cycle: 2 })).toEqual(then[2]);
  await expect.poll(alive).toBe(2);
  await expect(first.ask(question)).rejects.toThrow('the run is not running');
  second.dispose();
  await expect.poll(alive).toBe(1);
});

it('gives up a cycle that is wanted no more, and says why a run cannot be repeated', async () => {
  const { open, alive } = runs();
  const scenario = tinyScenario();
  const again = createAgain(open, () => ({ scenario, files: {}, backend: 'reference', before: () => undefined }));
  cleanUp.push(() => again.dispose());
  const [first, second] = [again.at(2), again.at(0)];
  await expect(first).rejects.toThrow('cycle 2 is not asked about any more');
  expect((await second).cycle).toBe(0);
  again.dispose();
  await expect.poll(alive).toBe(0);
  const broken = createAgain(
    (_backend, job, options) => open('webgpu', job, options),
    () => ({ scenario, files: {}, backend: 'webgpu', before: () => undefined }),
  );
  await expect(broken.at(0)).rejects.toThrow('no WebGPU adapter was found');
  await expect(createAgain(open, () => undefined).at(0)).rejects.toThrow('there is no run');
});
