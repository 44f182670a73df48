/** States that are drawn on threads: the same bits, never more of them than threads, and an end at any time. */
import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import {
  NO_FILES,
  createReferenceBackend,
  createStateDraw,
  serveDraws,
  validateScenario,
} from '../../../engine/index.ts';
import type { DrawHostPort, DrawStarterPort, DrawThreads, RunEvent, Scenario } from '../../../engine/index.ts';
import { createModel } from '../../../engine/experiment/draw.ts';
import { drawStates } from '../../../engine/experiment/parts.ts';
import { drawThreadsFor, startDrawing } from '../../../engine/run/drawing.ts';
import { hold, portOf } from './hold.ts';

const [NX, NY, MEMBERS] = [128, 96, 21];
const STATE = 3 * NX * NY;

function scenarioOf(grid = { nx: NX, ny: NY }, members = MEMBERS): Scenario {
  const raw = {
    version: 3,
    name: 'drawn',
    seed: 11,
    grid,
    truth: { initial: { kind: 'drops', count: 3 }, spinup: 0 },
    background: {
      initial: { kind: 'truth' },
      perturbation: { standardDeviation: 0.02, length: 4, balance: 'none' },
      members,
    },
    methods: [{ kind: 'free-run' }],
    experiment: { cycles: 1, window: 0.1 },
  };
  return validateScenario(raw, 'drawn').scenario;
}

interface Threads extends DrawThreads {
  readonly started: { closed: boolean; fail(error: Error): void }[];
}

const nothing = (): void => undefined;

/** Threads in this one, each across a real channel. @param serve what waits at its other end */
function threads(
  most: number,
  serve: (port: DrawHostPort, index: number) => void = (port) => serveDraws(port),
): Threads {
  const started: Threads['started'] = [];
  return {
    most,
    started,
    start(): DrawStarterPort {
      const { port1, port2 } = new MessageChannel();
      let fail: (error: Error) => void = nothing;
      const thread = { closed: false, fail: (error: Error) => fail(error) };
      serve(portOf(port2), started.push(thread) - 1);
      return {
        ...portOf(port1),
        onFailure: (listener) => {
          fail = listener;
        },
        close: () => {
          thread.closed = true;
          port1.close();
        },
      };
    },
  };
}

/** Whether two arrays have the same bits; they are too long to be distinguished number by number. */
function sameBits(a: Float64Array, b: Float64Array): boolean {
  return Buffer.from(a.buffer, a.byteOffset, a.byteLength).equals(Buffer.from(b.buffer, b.byteOffset, b.byteLength));
}

const job = (scenario: Scenario) => ({ scenario, files: {}, source: 'drawn' });

/** A thread that opens and then answers nothing. */
function silent(port: DrawHostPort): void {
  port.listen(({ call, name }) => {
    if (call !== undefined && name === 'open') port.post({ type: 'result', call, result: undefined }, []);
  });
}

function drawing(scenario: Scenario, of: DrawThreads, signal?: AbortSignal) {
  const draw = startDrawing(of, job(scenario), signal);
  if (!draw) throw new Error('nothing is drawn on threads');
  return draw;
}

describe('states that are drawn on threads', () => {
  it('have the bits of those that are drawn here, whatever the number of threads', async () => {
    const scenario = scenarioOf();
    const model = createModel(scenario, NO_FILES);
    const backend = createReferenceBackend();
    const here = await drawStates(backend, scenario, model, { draw: createStateDraw(scenario, NO_FILES) });
    const expected = await backend.read(here.ensemble);
    for (const most of [1, 3]) {
      const draw = drawing(scenario, threads(most));
      const there = await drawStates(backend, scenario, model, { draw });
      expect(sameBits(await backend.read(there.ensemble), expected)).toBe(true);
      expect(sameBits(there.truth, here.truth)).toBe(true);
      expect(there.pace).toBe(here.pace);
      there.ensemble.dispose();
    }
  });

  it('are asked for one by one from each thread, when the one before has left the host', async () => {
    const scenario = scenarioOf();
    const model = createModel(scenario, NO_FILES);
    const backend = createReferenceBackend();
    const of = threads(3);
    const draw = drawing(scenario, of);
    let [there, most] = [0, 0];
    const settle = backend.settle.bind(backend);
    backend.settle = async () => {
      // Others are drawn meanwhile, but no more than there are threads.
      await new Promise((resolve) => setTimeout(resolve, 2));
      await settle();
      there -= 1;
    };
    const shares: number[] = [];
    const counted = {
      atOnce: draw.atOnce,
      draw: (which: 'truth' | number) => {
        if (which !== 'truth') there += 1;
        most = Math.max(most, there);
        return draw.draw(which);
      },
      dispose: () => draw.dispose(),
    };
    await drawStates(backend, scenario, model, { draw: counted, onDrawn: (share) => shares.push(share) });
    expect(of.started.map(({ closed }) => closed)).toEqual([true, true, true]);
    expect(most).toBeLessThanOrEqual(3);
    expect(most).toBeGreaterThan(1);
    expect(shares).toEqual(Array.from({ length: MEMBERS + 1 }, (_, state) => (state + 1) / (MEMBERS + 1)));
  });

  it('end with their threads when the signal says so, and the field is freed', async () => {
    const scenario = scenarioOf();
    const model = createModel(scenario, NO_FILES);
    const backend = createReferenceBackend();
    const freed: string[] = [];
    const allocate = backend.allocate.bind(backend);
    backend.allocate = (label, kind, length) =>
      Object.assign(allocate(label, kind, length), { dispose: () => freed.push(label) });
    const stop = new AbortController();
    const of = threads(2, silent);
    const draw = drawing(scenario, of, stop.signal);
    const drawn = drawStates(backend, scenario, model, { draw, signal: stop.signal });
    await new Promise((resolve) => setTimeout(resolve, 20));
    stop.abort(new Error('not wanted any more'));
    await expect(drawn).rejects.toThrow('not wanted any more');
    expect(of.started.map(({ closed }) => closed)).toEqual([true, true]);
    expect(freed).toEqual(['background']);
  });

  it('are given up with the reason when a thread breaks down', async () => {
    const scenario = scenarioOf();
    const model = createModel(scenario, NO_FILES);
    const of = threads(2, (port, index) => (index === 0 ? silent(port) : serveDraws(port)));
    const draw = drawing(scenario, of);
    const drawn = drawStates(createReferenceBackend(), scenario, model, { draw });
    of.started[0].fail(new Error('A worker that draws the initial states broke down: out of memory'));
    await expect(drawn).rejects.toThrow('broke down: out of memory');
    expect(of.started.every(({ closed }) => closed)).toBe(true);
  });

  it('say what is wrong with a scenario as it would be said here', async () => {
    const scenario = scenarioOf();
    const flawed = { ...scenario, model: { ...scenario.model, coriolis: { f: 1e-4, beta: 0 }, scheme: 'richtmyer' } };
    const draw = drawing(flawed as Scenario, threads(1));
    await expect(draw.draw('truth')).rejects.toThrow(/model\.coriolis: scheme "richtmyer" does not rotate/);
    draw.dispose();
  });
});

describe('how many threads draw', () => {
  it('is none for small runs, one for each state at most, and as many as have room in memory', () => {
    expect(drawThreadsFor(scenarioOf({ nx: 64, ny: 64 }, 40), 16)).toBe(0);
    expect(drawThreadsFor(scenarioOf({ nx: 256, ny: 256 }, 32), 16)).toBe(16);
    expect(drawThreadsFor(scenarioOf({ nx: 512, ny: 512 }, 4), 16)).toBe(5);
    // 20 numbers a cell, 168 MB a thread, of 671 MB.
    expect(drawThreadsFor(scenarioOf({ nx: 1024, ny: 1024 }, 32), 16)).toBe(4);
    expect(drawThreadsFor(scenarioOf({ nx: 4096, ny: 4096 }, 2), 16)).toBe(1);
  });
});

describe('a run', () => {
  it('draws on the threads of its place, reports how far it is, and ends them before it starts', async () => {
    const of = threads(2);
    let open: number | undefined;
    const event = ({ type }: RunEvent): void => {
      if (type === 'start') open = of.started.filter(({ closed }) => !closed).length;
    };
    const { run, events } = hold(scenarioOf(), { states: false, host: { drawThreads: of }, observers: [{ event }] });
    const here = hold(scenarioOf(), { states: false });
    await Promise.all([run.ready, here.run.ready]);
    expect(of.started).toHaveLength(2);
    expect(open).toBe(0);
    const shares = events.flatMap((event) =>
      event.type === 'preparing' && event.part === 'drawing' ? [event.share] : [],
    );
    expect(shares).toHaveLength(MEMBERS + 1);
    expect(shares.at(-1)).toBe(1);
    const [there, expected] = await Promise.all(
      [run, here.run].map(async (each) => (await each.ask({ kind: 'checkpoint' })).arrays),
    );
    for (const name of ['truth', 'method.free-run', 'pace']) expect(sameBits(there[name], expected[name])).toBe(true);
    expect(there['method.free-run']).toHaveLength(STATE * MEMBERS);
  });

  it('that is disposed of while it draws ends its threads at once', async () => {
    const of = threads(2, silent);
    const { run } = hold(scenarioOf(), { states: false, host: { drawThreads: of } });
    await expect.poll(() => of.started.length).toBe(2);
    run.dispose();
    await expect(run.ready).rejects.toThrow(/not running any more/);
    await expect.poll(() => of.started.map(({ closed }) => closed)).toEqual([true, true]);
  });
});
