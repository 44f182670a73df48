import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createHostPlanes, createReferenceBackend, RunLostError, ScenarioError } from '../../../../engine/index.ts';
import type { Checkpoint, CycleDiagnostics, RunEvent, RunHost, RunStarterPort } from '../../../../engine/index.ts';
import { openRunIn } from '../../../../app/document/run/open-run.ts';
import { channelTo } from '../../run/hold.ts';
import { tinyScenario } from './tiny-scenario.ts';
import { soon } from '../../../setup/soon.ts';

const cleanUp: (() => void)[] = [];
afterEach(() => {
  for (const free of cleanUp.splice(0)) free();
});

interface Line {
  readonly worker: RunStarterPort;
  readonly breakDown: (message: string) => void;
  readonly terminated: () => boolean;
}

function host(): RunHost {
  const backend = createReferenceBackend();
  return { backend, planes: createHostPlanes(backend), yieldToEventLoop: () => turn() };
}

/** A worker whose two sides are in this thread, with a real message channel between them: everything is cloned. */
function lineToWorker(): Line {
  const line = channelTo(host);
  let fail: ((error: Error) => void) | undefined;
  let terminated = false;
  const close = (): void => {
    terminated = true;
    line.close();
  };
  cleanUp.push(close);
  return {
    worker: {
      ...line,
      onFailure: (listener) => {
        fail = listener;
      },
      close,
    },
    breakDown: (message) => fail?.(new RunLostError(message)),
    terminated: () => terminated,
  };
}

function open(options: { checkpoint?: Checkpoint; scenario?: ReturnType<typeof tinyScenario> } = {}) {
  const line = lineToWorker();
  const events: RunEvent[] = [];
  const surroundings = {
    findAdapter: () => Promise.resolve(undefined),
    openGpu: () => Promise.reject(new Error('there is no GPU here')),
    startWorker: () => line.worker,
  };
  const { scenario = tinyScenario(), checkpoint } = options;
  const run = openRunIn(surroundings)(
    'auto',
    { scenario, files: {}, source: scenario.name, checkpoint, misfit: 'begin', ceilings: 'beside' },
    { observers: [{ states: true, event: (event) => events.push(event) }] },
  );
  return { ...line, run, events };
}

/** The cycles whose states came. */
function cyclesIn(events: readonly RunEvent[]): number[] {
  return events.flatMap((event) => (event.type === 'states' ? [event.snapshot.cycle] : []));
}

it('runs a whole experiment across the line: ready, cycles in order, end', async () => {
  const { run, events } = open();
  await Promise.all([run.step(), run.step(), run.step(), run.step()]);
  const ready = events.flatMap((event) => (event.type === 'ready' ? [event] : []));
  expect(ready).toMatchObject([{ snapshot: { cycle: -1 } }]);
  expect(ready.map(({ info }) => run.placed(info))).toMatchObject([
    { backend: { name: 'reference', reason: 'no GPU was found' }, device: undefined },
  ]);
  expect(cyclesIn(events)).toEqual([0, 1, 2, 3]);
  expect(events.at(-1)).toEqual({ type: 'end', cycles: 4 });
  await run.step();
});

it('plays to a cycle, and steps on from there', async () => {
  const { run, events } = open();
  await run.play(2);
  expect(cyclesIn(events)).toEqual([0, 1]);
  await run.play(1);
  await run.step();
  expect(cyclesIn(events)).toEqual([0, 1, 2]);
});

it('takes a probe while a cycle is being computed, and uses it in the next', async () => {
  const { run, events } = open();
  const first = run.step();
  const second = run.step();
  await turn();
  run.probe([{ x: 3, y: 2 }]);
  await first;
  await second;
  const cells = events.flatMap((event) => (event.type === 'states' ? event.readings.map(({ cell }) => cell) : []));
  expect(cells).toContain(2 * 12 + 3);
});

it('hands out a checkpoint from which another run continues', async () => {
  const { run } = open();
  await run.step();
  const checkpoint = await run.ask({ kind: 'checkpoint' });
  expect(checkpoint.cycle).toBe(1);
  const resumed = open({ checkpoint });
  await resumed.run.step();
  expect(resumed.events.find(({ type }) => type === 'ready')).toMatchObject({ snapshot: { cycle: 0 } });
  expect(cyclesIn(resumed.events)).toEqual([1]);
});

function rowOf({ cycle, method, rmse }: CycleDiagnostics): unknown {
  return { cycle, method, rmse };
}

/** What was reported of each cycle, without the times that it took. */
function rowsOf(events: readonly RunEvent[]): unknown[] {
  return events.flatMap((event) => (event.type === 'diagnostics' ? [rowOf(event.diagnostics)] : []));
}

describe('a change on the way', () => {
  const edit = { kind: 'setting', cycle: 2, path: 'methods[2].inflation', value: 1.5 };

  it('takes effect at the next cycle, as in a run that has it from its start', async () => {
    const { run, events } = open();
    await run.play(2);
    await run.edit(tinyScenario({ interventions: [edit] }));
    await run.play(4);
    const planned = open({ scenario: tinyScenario({ interventions: [edit] }) });
    await planned.run.play(4);
    expect(rowsOf(events)).toHaveLength(12);
    expect(rowsOf(events)).toEqual(rowsOf(planned.events));
  });

  it('is refused where it comes too late', async () => {
    const { run } = open();
    await run.play(3);
    await expect(run.edit(tinyScenario({ interventions: [edit] }))).rejects.toBeInstanceOf(ScenarioError);
    await run.step();
  });

  it('makes a run longer that has ended', async () => {
    const { run, events } = open();
    await run.play(4);
    await run.edit(
      tinyScenario({ interventions: [{ kind: 'setting', cycle: 4, path: 'experiment.cycles', value: 5 }] }),
    );
    await run.step();
    expect(events.filter(({ type }) => type === 'end')).toEqual([
      { type: 'end', cycles: 4 },
      { type: 'end', cycles: 5 },
    ]);
  });

  it('is not taken by a run that is disposed of', async () => {
    const { run, events } = open();
    await run.step();
    run.dispose();
    await expect(run.edit(tinyScenario({ interventions: [edit] }))).rejects.toThrow('not running');
    expect(events.some(({ type }) => type === 'failed')).toBe(false);
  });
});

it('says why an experiment cannot be opened', async () => {
  const scenario = { ...tinyScenario(), background: { ...tinyScenario().background, members: 1e9 } };
  const { run, events } = open({ scenario });
  await expect(run.step()).rejects.toThrow('needs about');
  expect(events.at(-1)).toMatchObject({ type: 'failed', error: { message: expect.stringContaining('needs about') } });
  await expect(run.ask({ kind: 'checkpoint' })).rejects.toThrow('needs about');
});

it('reports that a worker broke down', async () => {
  const { run, events, breakDown } = open();
  await run.step();
  const waiting = run.step();
  breakDown('out of memory');
  await expect(waiting).rejects.toThrow('out of memory');
  expect(events.at(-1)).toEqual({ type: 'failed', error: new RunLostError('out of memory') });
});

it('ends the worker and keeps silent after dispose, in the middle of a cycle too', async () => {
  const { run, events, terminated } = open();
  await run.step();
  const before = events.length;
  const stepping = run.step();
  run.dispose();
  await stepping;
  await soon(() => expect(terminated()).toBe(true));
  expect(events).toHaveLength(before);
  await run.step();
  await expect(run.ask({ kind: 'checkpoint' })).rejects.toThrow('not running');
});
