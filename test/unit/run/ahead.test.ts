/** A run that nobody draws keeps the device one cycle ahead of its numbers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AllDivergedError } from '../../../engine/index.ts';
import type { Backend, RunEvent, RunWriter } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';
import { tinyScenario } from '../document/run/tiny-scenario.ts';
import { hold } from './hold.ts';

const CYCLES = 8;
/** Cycles in which a minimisation finds out how many iterations it takes. */
const FINDING = 4;

/** What happened, but for times. */
function lasting(events: readonly RunEvent[]): object[] {
  return events.flatMap((event): object[] => {
    if (event.type === 'kernel' || event.type === 'trace' || event.type === 'ready') return [];
    if (event.type !== 'diagnostics') return [{ ...event, milliseconds: undefined }];
    return [{ type: event.type, diagnostics: { ...event.diagnostics, milliseconds: undefined } }];
  });
}

describe.each(backends)('a run that plays undrawn on $name', ({ open }) => {
  let backend: Backend;
  const scenario = tinyScenario({ experiment: { cycles: CYCLES, window: 0.5 } });
  /** All cycles, stopped once in the middle. */
  let played: { readonly events: readonly RunEvent[]; readonly state: unknown };
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it('has reported all when it stops in the middle, and continues; waits for the device at most once a cycle, and once for the numbers of the last', async () => {
    const { run, events } = hold(scenario, { backend, states: false });
    const told = (): number[] => events.flatMap((event) => (event.type === 'cycle' ? [event.cycle] : []));
    await run.ready;
    expect(await run.play(FINDING)).toBe('stopped');
    expect(told()).toEqual([0, 1, 2, 3]);
    const { waits } = backend.counts;
    expect(await run.play()).toBe('complete');
    expect(told()).toEqual(Array.from({ length: CYCLES }, (_, cycle) => cycle));
    expect(backend.counts.waits - waits).toBeLessThanOrEqual(CYCLES - FINDING + 1);
    expect(backend.counts.waits > waits).toBe(!backend.immediate);
    played = { events: [...events], state: await run.ask({ kind: 'checkpoint' }) };
    run.dispose();
  });

  it('reports what it reports when stepping', async () => {
    const stepped = hold(scenario, { backend, states: false });
    await stepped.run.ready;
    for (let cycle = 0; cycle < CYCLES; cycle++) await stepped.run.step();
    expect(lasting(played.events)).toEqual(lasting(stepped.events));
    expect(played.state).toEqual(await stepped.run.ask({ kind: 'checkpoint' }));
    stepped.run.dispose();
  });

  it('reports the methods in their order in every cycle, whichever is complete first', () => {
    const methods = played.events.flatMap((event) => (event.type === 'diagnostics' ? [event.diagnostics.method] : []));
    expect(methods).toEqual(Array.from({ length: CYCLES }, () => ['free-run', '3dvar', 'letkf']).flat());
  });

  it('ends with what has ended it, also where a checkpoint is due', async () => {
    const gone = tinyScenario({
      methods: [{ kind: 'letkf', localisation: { halfWidth: 2 }, inflation: 1.1 }],
      experiment: { cycles: 60, window: 0.5 },
      interventions: [{ kind: 'setting', cycle: 1, path: 'methods[0].inflation', value: 100 }],
    });
    const writer: RunWriter = {
      schedule: { kind: 'cycles', every: 1 },
      prepare: 'checkpoint',
      waits: true,
      atEnd: true,
      commit: () => undefined,
    };
    const { run, events } = hold(gone, { backend, states: false, writers: [writer] });
    await run.ready;
    await expect(run.play()).rejects.toBeInstanceOf(AllDivergedError);
    expect(events.filter(({ type }) => type === 'diverged')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'failed')).toMatchObject([{ error: expect.any(AllDivergedError) }]);
    run.dispose();
  });
});
