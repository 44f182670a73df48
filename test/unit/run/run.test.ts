import { describe, expect, it, vi } from 'vitest';
import { AllDivergedError, createReferenceBackend, DeviceLostError, ScenarioError } from '../../../engine/index.ts';
import type { RunEvent } from '../../../engine/index.ts';
import { tinyScenario } from '../document/run/tiny-scenario.ts';
import { cyclesOf, hold, open, readingsIn, snapshots, valuesOf } from './hold.ts';

/** Without the kernels' times, which come when they are known. */
function typesOf(events: readonly RunEvent[]): string[] {
  return events.map(({ type }) => type).filter((type) => type !== 'kernel');
}

it('continues from a checkpoint with the same numbers', async () => {
  const first = await open(tinyScenario());
  await first.run.step();
  const checkpoint = await first.run.ask({ kind: 'checkpoint' });
  await first.run.step();
  const second = await open(tinyScenario(), { job: { checkpoint } });
  expect(snapshots(second.events)[0].cycle).toBe(0);
  await second.run.step();
  expect(snapshots(second.events)[1]).toEqual(snapshots(first.events)[2]);
});

it('takes a checkpoint of one moment, whatever is asked for while it is read', async () => {
  const patient = await open(tinyScenario());
  await patient.run.step();
  const expected = await patient.run.ask({ kind: 'checkpoint' });

  // Reading takes its time, as it does on a GPU.
  const backend = createReferenceBackend();
  const read = backend.read.bind(backend);
  const slowly: typeof backend.read = async (...what) => {
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve));
    return read(...what);
  };
  const { run } = await open(tinyScenario(), { backend });
  await run.step();
  backend.read = slowly;
  const [checkpoint] = await Promise.all([run.ask({ kind: 'checkpoint' }), run.step()]);
  expect(checkpoint).toEqual({ ...expected, arrays: expect.objectContaining(expected.arrays) });
});

it('starts again from the beginning, with a warning, where the checkpoint is of another scenario', async () => {
  const first = await open(tinyScenario());
  await first.run.step();
  const { events } = await open(tinyScenario({ seed: 4 }), {
    job: { checkpoint: await first.run.ask({ kind: 'checkpoint' }) },
  });
  expect(events[0]).toMatchObject({
    type: 'warning',
    message: expect.stringContaining('starts again from the beginning'),
  });
  expect(snapshots(events)[0].cycle).toBe(-1);
});

it('refuses a checkpoint of another scenario on request', async () => {
  const first = await open(tinyScenario());
  await first.run.step();
  const checkpoint = await first.run.ask({ kind: 'checkpoint' });
  const { run } = hold(tinyScenario({ seed: 4 }), { job: { checkpoint, misfit: 'refuse' } });
  await expect(run.ready).rejects.toBeInstanceOf(ScenarioError);
  await expect(run.step()).rejects.toBeInstanceOf(ScenarioError);
});

it.each([
  new DeviceLostError('the device is gone'),
  new Error('a bit fell over'),
  new AllDivergedError('All are gone'),
])('says once that $message, as an error of its class, and does nothing more', async (error) => {
  const backend = createReferenceBackend();
  const { run, events } = await open(tinyScenario(), { backend });
  await run.step();
  const before = events.length;
  backend.collect = vi.fn<() => Promise<void>>().mockRejectedValue(error);
  await expect(run.step()).rejects.toThrow(error.message);
  await expect(run.step()).rejects.toThrow(error.message);
  await expect(run.play()).rejects.toBeInstanceOf(error.constructor);
  const failed = events.slice(before).filter((event) => event.type === 'failed');
  expect(failed).toHaveLength(1);
  expect(failed[0]?.error).toBeInstanceOf(error.constructor);
  expect(events.at(-1)?.type).toBe('failed');
});

it('gives up a cycle in progress when it is disposed, and says nothing about it', async () => {
  const { run, events } = await open(tinyScenario());
  const before = events.length;
  const stepping = run.step();
  const playing = run.play();
  run.dispose();
  await stepping;
  expect(await playing).toBe('stopped');
  expect(events.slice(before).map(({ type }) => type)).not.toContain('states');
  await expect(run.ask({ kind: 'checkpoint' })).rejects.toThrow('not running');
});

it('reports once that a method diverges, draws what it was last, and continues with the others', async () => {
  const edit = { kind: 'setting', cycle: 1, path: 'methods[2].inflation', value: 100 };
  const scenario = tinyScenario({ experiment: { cycles: 60, window: 0.5 }, interventions: [edit] });
  const { run, events } = await open(scenario);
  run.probe([{ x: 5, y: 4 }]);
  expect(await run.play()).toBe('complete');
  const gone = events.filter((event) => event.type === 'diverged');
  expect(gone).toMatchObject([{ method: 'letkf', edits: [edit] }]);
  const cycle = gone[0]?.cycle ?? Number.NaN;
  expect(events.at(-1)).toEqual({ type: 'end', cycles: 60 });
  const stored = snapshots(events);
  const letkfOf = (of: number) => stored[of + 1].methods[2];
  expect(letkfOf(cycle - 1).divergedAt).toBeUndefined();
  expect([letkfOf(cycle).divergedAt, letkfOf(59).divergedAt]).toEqual([cycle, cycle]);
  expect(valuesOf(letkfOf(59).analysis.eta)).toEqual(valuesOf(letkfOf(cycle - 1).analysis.eta));
  const last = cyclesOf(events).at(-1);
  expect(last?.diagnostics.map(({ method }) => method)).toEqual(['free-run', '3dvar']);
  expect(last?.motion?.surfaces.map(({ method }) => method)).toEqual([undefined, 'free-run', '3dvar']);
  expect(Object.keys(last?.snapshot.observations.innovations ?? {})).toEqual(['free-run', '3dvar']);
  expect(Object.keys(readingsIn(events).at(-1)?.reading.methods ?? {})).toEqual(['free-run', '3dvar']);
});

it('names the change on the way after which a method diverges', async () => {
  const edit = { kind: 'setting', cycle: 1, path: 'methods[2].inflation', value: 100 };
  const experiment = { cycles: 60, window: 0.5 };
  const { run, events } = await open(tinyScenario({ experiment }));
  await run.step();
  await run.edit(tinyScenario({ experiment, interventions: [edit] }));
  await run.play();
  const gone = events.filter((event) => event.type === 'diverged');
  expect(gone).toMatchObject([{ method: 'letkf', edits: [edit], message: expect.stringContaining('1.1 → 100') }]);
});

describe.each([
  { place: 'in this thread', across: false },
  { place: 'across a channel', across: true },
])('a run $place', ({ across }) => {
  it('gives the same bits, and the same events, as one that is stepped', async () => {
    const stepped = await open(tinyScenario());
    for (let i = 0; i < 4; i++) await stepped.run.step();
    const played = await open(tinyScenario(), { across });
    expect(await played.run.play()).toBe('complete');
    expect(snapshots(played.events)).toEqual(snapshots(stepped.events));
    expect(typesOf(played.events)).toEqual(typesOf(stepped.events));
    const [mine, theirs] = await Promise.all([played, stepped].map(({ run }) => run.ask({ kind: 'checkpoint' })));
    expect(mine).toEqual(theirs);
  });

  it('plays until a cycle comes next, and on from there', async () => {
    const { run, events } = await open(tinyScenario(), { across });
    expect(await run.play(3)).toBe('stopped');
    expect(snapshots(events).at(-1)?.cycle).toBe(2);
    expect(await run.play()).toBe('complete');
    expect(snapshots(events).at(-1)?.cycle).toBe(3);
  });

  it('stops after the cycle in progress', async () => {
    const scenario = tinyScenario({ experiment: { cycles: 1000, window: 0.5 } });
    const { run, events } = await open(scenario, { across });
    run.observe({ event: ({ type }) => type === 'cycle' && run.stop() });
    expect(await run.play()).toBe('stopped');
    const { cycle } = await run.ask({ kind: 'checkpoint' });
    expect(cycle).toBeLessThan(10);
    expect(snapshots(events).at(-1)?.cycle).toBe(cycle - 1);
  });

  it('answers questions between cycles while it plays', async () => {
    const { run, events } = await open(tinyScenario(), { across });
    const playing = run.play();
    const checkpoint = await run.ask({ kind: 'checkpoint' });
    expect(checkpoint.cycle).toBeLessThan(4);
    await playing;
    const { snapshot } = cyclesOf(events).at(-1) ?? {};
    expect(await run.ask({ kind: 'snapshot' })).toEqual(snapshot);
    const hu = await run.ask({ kind: 'plane', method: 'letkf', phase: 'forecast', plane: 'hu' });
    expect(hu).toEqual(valuesOf(snapshot?.methods[2].forecast.hu));
    const spread = await run.ask({ kind: 'plane', method: 'letkf', phase: 'analysis', plane: 'spread' });
    expect(spread).toEqual(valuesOf(snapshot?.methods[2].spread));
    expect(await run.ask({ kind: 'innovations' })).toEqual(snapshot?.observations.innovations);
    const nobody = run.ask({ kind: 'plane', method: 'nobody', phase: 'analysis', plane: 'eta' });
    await expect(nobody).rejects.toThrow('no method nobody');
  });

  it('records states while somebody wants them, and no others', async () => {
    const { run, events } = await open(tinyScenario(), { across, states: false });
    const seen: number[] = [];
    await run.step();
    const stop = run.observe({
      states: true,
      event: (event) => event.type === 'states' && seen.push(event.snapshot.cycle),
    });
    await run.step();
    stop();
    await run.step();
    expect(seen).toEqual([1]);
    expect(typesOf(events)).not.toContain('states');
    // What was not recorded is as it is now: the analysis, and no innovations.
    const { cycle, methods } = await run.ask({ kind: 'snapshot' });
    expect(cycle).toBe(2);
    expect(valuesOf(methods[2].forecast.eta)).toEqual(valuesOf(methods[2].analysis.eta));
    expect(await run.ask({ kind: 'innovations' })).toEqual({});
  });

  it('continues with another setting from the next cycle on, as a run that had it from its start', async () => {
    const edits = [{ kind: 'setting', cycle: 2, path: 'methods[2].inflation', value: 1.5 }];
    const whole = await open(tinyScenario({ interventions: edits }));
    await whole.run.play();
    const { run, events } = await open(tinyScenario(), { across });
    await run.play(2);
    await run.edit(tinyScenario({ interventions: edits }));
    expect(await run.play()).toBe('complete');
    expect(snapshots(events)).toEqual(snapshots(whole.events));
    expect(events.filter(({ type }) => type === 'edited')).toEqual([{ type: 'edited', cycle: 2, edits }]);
    const [mine, theirs] = await Promise.all([run, whole.run].map((each) => each.ask({ kind: 'checkpoint' })));
    expect(mine).toEqual(theirs);
  });

  it('continues past its end where an edit makes it longer', async () => {
    const { run } = await open(tinyScenario(), { across });
    await run.play();
    const longer = [{ kind: 'setting', cycle: 4, path: 'experiment.cycles', value: 6 }];
    await run.edit(tinyScenario({ interventions: longer }));
    expect(await run.play()).toBe('complete');
    expect((await run.ask({ kind: 'checkpoint' })).cycle).toBe(6);
  });

  it('ends where an edit makes it as long as it is', async () => {
    const { run, events } = await open(tinyScenario(), { across });
    await run.play(2);
    await run.edit(
      tinyScenario({ interventions: [{ kind: 'setting', cycle: 2, path: 'experiment.cycles', value: 2 }] }),
    );
    expect(events.at(-1)).toEqual({ type: 'end', cycles: 2 });
    await run.step();
    expect((await run.ask({ kind: 'checkpoint' })).cycle).toBe(2);
  });

  it('refuses an edit that has a part in the states that there are', async () => {
    const { run } = await open(tinyScenario(), { across });
    await run.step();
    await expect(run.edit(tinyScenario({ seed: 9 }))).rejects.toBeInstanceOf(ScenarioError);
    const early = [{ kind: 'setting', cycle: 0, path: 'methods[2].inflation', value: 1.5 }];
    await expect(run.edit(tinyScenario({ interventions: early }))).rejects.toThrow('before cycle 1');
    expect(await run.play()).toBe('complete');
  });

  it('keeps checkpoints within its memory, from which a branch gives the bits of a run with its edits', async () => {
    const scenario = tinyScenario({ experiment: { cycles: 24, window: 0.5 } });
    const host = { yieldToEventLoop: () => new Promise<void>((resolve) => setTimeout(resolve, 2)) };
    const { run } = await open(scenario, { across, host, states: false, ringBytes: 2 ** 20 });
    await run.play();
    await expect.poll(() => run.ring?.cycles.length).toBeGreaterThan(0);
    const first = run.ring?.cycles[0] ?? 0;
    const edits = [{ kind: 'setting', cycle: first + 2, path: 'methods[2].inflation', value: 1.5 } as const];
    const branch = run.fork(first + 2, edits);
    expect(branch).toMatchObject({
      cycle: first + 2,
      checkpoint: { cycle: first },
      scenario: { interventions: edits },
    });
    const { checkpoint } = branch;
    const branched = await open(branch.scenario, { across, states: false, job: { checkpoint, misfit: 'refuse' } });
    const whole = await open(branch.scenario, { states: false });
    await Promise.all([branched, whole].map((each) => each.run.play()));
    const [mine, theirs] = await Promise.all([branched, whole].map((each) => each.run.ask({ kind: 'checkpoint' })));
    expect(mine).toEqual(theirs);
    expect(mine).not.toEqual(await run.ask({ kind: 'checkpoint' }));
    expect(run.ring?.bytes).toBeLessThanOrEqual(2 ** 20);
  });
});

it('has the impacts of every cycle where its experiment asks for them, and is the same run otherwise', async () => {
  const cycles = 4;
  const plain = await open(tinyScenario());
  const { run, events } = await open(tinyScenario({ experiment: { cycles, window: 0.5, impact: { lead: 2 } } }));
  const impacts: (number | undefined)[] = [];
  for (let cycle = 0; cycle < cycles; cycle++) {
    await plain.run.step();
    await run.step();
    const found = await run.ask({ kind: 'impact', method: 'letkf', lead: 2, verification: 'truth' });
    impacts.push(found?.impacts.reduce((sum, impact) => sum + impact, 0));
  }
  expect(typesOf(events)).toEqual(typesOf(plain.events));
  const rows = cyclesOf(events).flatMap(({ diagnostics }) => diagnostics);
  const answering = rows.filter(({ impact }) => impact !== undefined);
  expect(answering.map(({ method, cycle }) => [method, cycle])).toEqual([0, 1, 2, 3].map((cycle) => ['letkf', cycle]));
  // Every other cycle has observations.
  expect(answering.map(({ impact }) => impact?.networks.used[0])).toEqual([0, 16, 0, 16]);
  expect(answering.map(({ impact }) => impact?.networks.impact[0])).toEqual(impacts);
  const withoutImpact = rows.map(({ impact: _impact, milliseconds: _milliseconds, ...row }) => row);
  const expected = cyclesOf(plain.events).flatMap(({ diagnostics }) => diagnostics);
  expect(withoutImpact).toEqual(expected.map(({ milliseconds: _milliseconds, ...row }) => row));
});

it('has room for the impacts that it records, or does not begin', async () => {
  const scenario = tinyScenario({ experiment: { cycles: 2, window: 0.5, impact: { lead: 2 } } });
  const plain = await hold(tinyScenario()).run.ready;
  const { memoryBytes } = await hold(scenario).run.ready;
  expect(memoryBytes).toBeGreaterThan(1.2 * plain.memoryBytes);
  const { run, events } = hold(scenario, { host: { memoryLimitBytes: memoryBytes } });
  await run.play();
  const rows = cyclesOf(events).flatMap(({ diagnostics }) => diagnostics);
  expect(rows.filter(({ impact }) => impact !== undefined)).toHaveLength(2);
  const refused = hold(scenario, { host: { memoryLimitBytes: memoryBytes - 1 } });
  await expect(refused.run.ready).rejects.toThrow(/the run needs about .*, allowed:/);
});
