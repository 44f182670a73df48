import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createHostPlanes, createReferenceBackend, RunLostError, ScenarioError } from '../../../../engine/index.ts';
import type { Checkpoint, RunHost, RunStarterPort } from '../../../../engine/index.ts';
import { openSessionIn } from '../../../../app/document/session/open-session.ts';
import type { ProbeReading, Session, SessionEvent } from '../../../../app/document/session/session.ts';
import { channelTo } from '../../run/hold.ts';
import { tinyScenario } from './scenario.ts';
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
  return { backend, planes: createHostPlanes(backend), breathe: () => turn() };
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
  const events: SessionEvent[] = [];
  const surroundings = {
    findAdapter: () => Promise.resolve(undefined),
    openGpu: () => Promise.reject(new Error('there is no GPU here')),
    startWorker: () => line.worker,
  };
  const session: Session = openSessionIn(surroundings)(options.scenario ?? tinyScenario(), {
    backend: 'auto',
    files: {},
    listener: (event) => events.push(event),
    ...(options.checkpoint && { checkpoint: options.checkpoint }),
  });
  return { ...line, session, events };
}

it('runs a whole experiment across the line: ready, cycles in order, end', async () => {
  const { session, events } = open();
  const steps = [session.step(), session.step(), session.step(), session.step()];
  await Promise.all(steps);
  const ready = events.find(({ type }) => type !== 'preparing');
  expect(ready).toMatchObject({
    type: 'ready',
    info: { backend: { name: 'reference', reason: 'no GPU was found' } },
    snapshot: { cycle: -1 },
  });
  const cycles = events.flatMap((event) => (event.type === 'cycle' ? [event.snapshot.cycle] : []));
  expect(cycles).toEqual([0, 1, 2, 3]);
  expect(events.at(-1)).toEqual({ type: 'ended', cycles: 4 });
  await session.step();
});

it('plays to a cycle, and steps on from there', async () => {
  const { session, events } = open();
  await session.playTo(2);
  const cycles = (): number[] => events.flatMap((event) => (event.type === 'cycle' ? [event.snapshot.cycle] : []));
  expect(cycles()).toEqual([0, 1]);
  await session.playTo(1);
  await session.step();
  expect(cycles()).toEqual([0, 1, 2]);
});

it('has delivered the snapshot when a step resolves', async () => {
  const { session, events } = open();
  await session.step();
  const last = events.findLast(({ type }) => type === 'cycle');
  expect(last).toMatchObject({ type: 'cycle', snapshot: { cycle: 0 } });
});

it('gathers what the probes see, and forgets a probe that was removed', async () => {
  const { session } = open();
  const told: [cell: number, cycles: number[]][] = [];
  session.onProbe((cell, readings: readonly ProbeReading[]) => told.push([cell, readings.map(({ cycle }) => cycle)]));
  session.probe([{ x: 1, y: 0 }]);
  await session.step();
  await session.step();
  session.probe([]);
  await session.step();
  expect(told).toEqual([
    [1, [0]],
    [1, [0, 1]],
  ]);
  session.probe([{ x: 1, y: 0 }]);
  await session.step();
  expect(told.at(-1)).toEqual([1, [3]]);
});

it('takes a probe while a cycle is being computed, and uses it in the next', async () => {
  const { session } = open();
  const cells: number[] = [];
  session.onProbe((cell) => cells.push(cell));
  const first = session.step();
  const second = session.step();
  await turn();
  session.probe([{ x: 3, y: 2 }]);
  await first;
  await second;
  expect(cells).toContain(2 * 12 + 3);
});

it('hands out a checkpoint from which another session goes on', async () => {
  const { session } = open();
  await session.step();
  const checkpoint = await session.checkpoint();
  expect(checkpoint.cycle).toBe(1);
  const resumed = open({ checkpoint });
  await resumed.session.step();
  expect(resumed.events[0]).toMatchObject({ type: 'ready', snapshot: { cycle: 0 } });
  expect(resumed.events.find(({ type }) => type === 'cycle')).toMatchObject({ snapshot: { cycle: 1 } });
});

/** What was told of each cycle, without the times that it took. */
function rowsOf(events: readonly SessionEvent[]): unknown[] {
  return events.flatMap((event) =>
    event.type === 'cycle' ? event.diagnostics.map(({ cycle, method, rmse }) => ({ cycle, method, rmse })) : [],
  );
}

describe('a change on the way', () => {
  const edit = { kind: 'setting', cycle: 2, path: 'methods[2].inflation', value: 1.5 };

  it('takes hold at the next cycle, as in a run that has it from its start', async () => {
    const { session, events } = open();
    await session.playTo(2);
    await session.edit(tinyScenario({ interventions: [edit] }));
    await session.playTo(4);
    const planned = open({ scenario: tinyScenario({ interventions: [edit] }) });
    await planned.session.playTo(4);
    expect(rowsOf(events)).toHaveLength(12);
    expect(rowsOf(events)).toEqual(rowsOf(planned.events));
  });

  it('is refused where it comes too late', async () => {
    const { session } = open();
    await session.playTo(3);
    await expect(session.edit(tinyScenario({ interventions: [edit] }))).rejects.toBeInstanceOf(ScenarioError);
    await session.step();
  });

  it('makes a run longer that has ended', async () => {
    const { session, events } = open();
    await session.playTo(4);
    await session.edit(
      tinyScenario({ interventions: [{ kind: 'setting', cycle: 4, path: 'experiment.cycles', value: 5 }] }),
    );
    await session.step();
    expect(events.filter(({ type }) => type === 'ended')).toEqual([
      { type: 'ended', cycles: 4 },
      { type: 'ended', cycles: 5 },
    ]);
  });

  it('is not taken by a session that is disposed of', async () => {
    const { session, events } = open();
    await session.step();
    session.dispose();
    await session.edit(tinyScenario({ interventions: [edit] }));
    expect(events.some(({ type }) => type === 'failed')).toBe(false);
  });
});

it('says why an experiment cannot be opened', async () => {
  const scenario = { ...tinyScenario(), background: { ...tinyScenario().background, members: 1e9 } };
  const { session, events } = open({ scenario });
  await session.step();
  expect(events).toEqual([{ type: 'failed', message: expect.stringContaining('needs about'), recoverable: false }]);
  await expect(session.checkpoint()).rejects.toThrow('not running');
});

it('tells that a worker broke down, and that a restart may help', async () => {
  const { session, events, breakDown } = open();
  await session.step();
  const waiting = session.step();
  breakDown('out of memory');
  await waiting;
  expect(events.at(-1)).toEqual({
    type: 'failed',
    message: 'out of memory',
    recoverable: true,
  });
});

it('ends the worker and keeps silent after dispose, in the middle of a cycle too', async () => {
  const { session, events, terminated } = open();
  await session.step();
  const before = events.length;
  const stepping = session.step();
  session.dispose();
  await stepping;
  await soon(() => expect(terminated()).toBe(true));
  expect(events).toHaveLength(before);
  await session.step();
  await expect(session.checkpoint()).rejects.toThrow('not running');
});
