/** A run of which it is found out later where it computes. */
import { expect, it } from 'vitest';
import { createHostPlanes, createReferenceBackend, openRun, portHere } from '../../../engine/index.ts';
import type { RunEvent, RunSite } from '../../../engine/index.ts';
import { tinyScenario } from '../document/run/tiny-scenario.ts';
import { soon } from '../../setup/soon.ts';

const nothing = (): void => undefined;

/** A run, and what says where it computes, or that it cannot. */
function openLater() {
  const events: RunEvent[] = [];
  let places = 0;
  const port = portHere(() => {
    places += 1;
    const backend = createReferenceBackend();
    return { backend, planes: createHostPlanes(backend) };
  });
  let find: (site: RunSite) => void = nothing;
  let refuse: (error: Error) => void = nothing;
  const site = new Promise<RunSite>((resolve, reject) => {
    find = resolve;
    refuse = reject;
  });
  const scenario = tinyScenario();
  const job = { scenario, files: {}, source: scenario.name, misfit: 'begin' } as const;
  const run = openRun(site, job, { observers: [{ states: true, event: (event) => void events.push(event) }] });
  return { run, events, port, find, refuse, places: () => places };
}

it('does what was asked of it meanwhile, in that order', async () => {
  const { run, events, port, find } = openLater();
  run.probe([{ x: 3, y: 2 }]);
  const asked = [run.step(), run.ask({ kind: 'checkpoint' }), run.step()] as const;
  expect(events).toEqual([]);
  find({ port });
  const [, checkpoint] = await Promise.all(asked);
  expect(checkpoint.cycle).toBe(1);
  const states = events.flatMap((event) => (event.type === 'states' ? [event] : []));
  expect(states.map(({ snapshot, readings }) => [snapshot.cycle, readings.map(({ cell }) => cell)])).toEqual([
    [0, [2 * 12 + 3]],
    [1, [2 * 12 + 3]],
  ]);
  run.dispose();
});

it('fails with the reason where no place is found, and answers nothing', async () => {
  const { run, events, refuse } = openLater();
  const step = run.step();
  refuse(new Error('no adapter'));
  await expect(step).rejects.toThrow('no adapter');
  await expect(run.ready).rejects.toThrow('no adapter');
  await expect(run.ask({ kind: 'checkpoint' })).rejects.toThrow('no adapter');
  expect(events).toMatchObject([{ type: 'failed', error: { message: 'no adapter' } }]);
});

it('is opened nowhere if it is disposed of first, and its place is ended', async () => {
  const { run, events, port, find, places } = openLater();
  let isEnded = false;
  run.dispose();
  find({
    port: {
      ...port,
      close() {
        isEnded = true;
      },
    },
  });
  await soon(() => expect(isEnded).toBe(true));
  expect(places()).toBe(0);
  expect(events).toEqual([]);
});
