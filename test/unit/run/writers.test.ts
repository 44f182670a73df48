import { describe, expect, it } from 'vitest';
import type { Checkpoint, RunWriter } from '../../../engine/index.ts';
import { tinyScenario } from '../document/run/tiny-scenario.ts';
import { hold } from './hold.ts';

const scenario = tinyScenario({ experiment: { cycles: 10, window: 0.5 } });

/** A writer of checkpoints every three cycles, and the cycles that it got. */
function everyThird(changes: Partial<Extract<RunWriter, { prepare: 'checkpoint' }>> = {}) {
  const cycles: number[] = [];
  const writer: RunWriter = {
    schedule: { kind: 'cycles', every: 3 },
    prepare: 'checkpoint',
    waits: true,
    atEnd: false,
    commit: ({ cycle }: Checkpoint) => void cycles.push(cycle),
    ...changes,
  };
  return { writer, cycles };
}

/** A promise, and the way to settle it. */
function gate() {
  let open: (() => void) | undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open?.(), opened };
}

describe.each([{ across: false }, { across: true }])('writers of a run (across a channel: $across)', ({ across }) => {
  it('get what is due between two cycles, and those that want it what the run ends with', async () => {
    const [during, also] = [everyThird(), everyThird({ atEnd: true })];
    const { run } = hold(scenario, { across, writers: [during.writer, also.writer] });
    await run.play();
    expect(during.cycles).toEqual([3, 6, 9]);
    expect(also.cycles).toEqual([3, 6, 9, 10]);
  });

  it('get what the run came to where it is stopped, once', async () => {
    const { writer, cycles } = everyThird({ atEnd: true });
    const { run } = hold(scenario, { across, writers: [writer] });
    await run.play(5);
    await run.play(6);
    expect(cycles).toEqual([3, 5, 6]);
  });

  it('are waited for where the run is to wait', async () => {
    const { open, opened } = gate();
    const { writer } = everyThird({ commit: () => opened });
    const { run, events } = hold(scenario, { across, writers: [writer] });
    const playing = run.play();
    await expect.poll(() => events.filter(({ type }) => type === 'cycle').length).toBe(3);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(events.filter(({ type }) => type === 'cycle')).toHaveLength(3);
    open();
    expect(await playing).toBe('complete');
  });

  it('do not hold up a run that does not wait, and get the next when they have written the last', async () => {
    const { open, opened } = gate();
    let begun = 0;
    const writer: RunWriter = {
      schedule: { kind: 'cycles', every: 1 },
      prepare: 'nothing',
      waits: false,
      atEnd: false,
      commit() {
        begun += 1;
        return opened;
      },
    };
    const { run } = hold(scenario, { across, writers: [writer] });
    await run.play(8);
    expect(begun).toBe(1);
    open();
    await run.ask({ kind: 'checkpoint' });
    await run.play();
    expect(begun).toBeGreaterThan(1);
  });

  it('hold up a run that is to wait for them where they are behind', async () => {
    const gates = [gate(), gate()];
    let begun = 0;
    const writer: RunWriter = {
      schedule: { kind: 'cycles', every: 3 },
      prepare: 'nothing',
      waits: 'behind',
      atEnd: false,
      commit: () => gates[begun++]?.opened,
    };
    const { run, events } = hold(scenario, { across, writers: [writer] });
    const playing = run.play();
    const cycles = (): number => events.filter(({ type }) => type === 'cycle').length;
    await expect.poll(cycles).toBe(6);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([cycles(), begun]).toEqual([6, 1]);
    gates[0].open();
    await expect.poll(cycles).toBe(9);
    gates[1].open();
    expect(await playing).toBe('complete');
    expect(begun).toBe(3);
  });

  it('that a run does not wait for have all that they want before it is said to be at its end', async () => {
    const { open, opened } = gate();
    const cycles: number[] = [];
    const writer: RunWriter = {
      schedule: { kind: 'cycles', every: 4 },
      prepare: 'checkpoint',
      waits: false,
      atEnd: true,
      async commit({ cycle }) {
        await opened;
        cycles.push(cycle);
      },
    };
    const { run, events } = hold(scenario, { across, writers: [writer] });
    const playing = run.play();
    // A slow disk holds up no cycle.
    await expect.poll(() => events.filter(({ type }) => type === 'cycle').length).toBe(10);
    expect(cycles).toEqual([]);
    open();
    await playing;
    expect(cycles).toEqual([4, 10]);
  });

  it('that fail give the run up, with their error', async () => {
    const full = new Error('no space is left on the device');
    const { writer } = everyThird({ commit: () => Promise.reject(full) });
    const { run, events } = hold(scenario, { across, writers: [writer] });
    await expect(run.play()).rejects.toBe(full);
    expect(events.at(-1)).toEqual({ type: 'failed', error: full });
    await expect(run.step()).rejects.toBe(full);
  });
});
