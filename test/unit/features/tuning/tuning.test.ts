/** Tuning in the window without its window: what is asked for, what a worker reports, what is on the map, and the result. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createReferenceBackend, isRecord, valueAt, validateScenario } from '../../../../engine/index.ts';
import { createNotices } from '../../../../app/page/notices.ts';
import { createScenarioState } from '../../../../app/document/scenario/scenario-state.ts';
import { serveTuning } from '../../../../app/features/tuning/tuning-service.ts';
import type { TuningCommands, TuningEvent } from '../../../../app/features/tuning/tuning-service.ts';
import { createTunings } from '../../../../app/features/tuning/tuning-state.ts';
import type { TuningSubject } from '../../../../app/features/tuning/tuning-state.ts';
import { keepRecord, setTunedValues } from '../../../../app/features/tuning/page/index.tsx';
import { SMALL_SCENARIO } from '../../sweep/small-sweep.ts';
import { wires } from '../../workers/wires.ts';

const reader = { sweep: () => Promise.reject(new Error('nothing is read here')) };

function subjectOf(opening = 1): TuningSubject {
  const { scenario, raw } = validateScenario(SMALL_SCENARIO, 'small');
  return { raw, scenario, files: {}, opening };
}

/** Tunings whose worker is in this thread. */
function tuningsHere() {
  let clock = 0;
  return createTunings(reader, {
    now: () => (clock += 100),
    start() {
      const { page, worker } = wires<TuningCommands, TuningEvent>();
      serveTuning(
        worker,
        () => Promise.resolve(createReferenceBackend()),
        () => Promise.resolve(),
      );
      return page;
    },
  });
}

function quick(tunings: ReturnType<typeof tuningsHere>): void {
  const { form, change } = tunings;
  const choices =
    form.value?.choices.map((choice) => ({ ...choice, count: '2', chosen: choice.name === 'inflation' })) ?? [];
  change({ choices, seeds: '2', levels: '0' });
}

describe('what is asked for', () => {
  it('begins with what the kind of method suggests', () => {
    const { choose, form, plan, title } = tuningsHere();
    expect(choose(subjectOf(), 'letkf')).toBe(true);
    expect(title.value).toBe('LETKF');
    expect(form.value?.choices.map(({ name, chosen }) => [name, chosen])).toEqual([
      ['localisation.halfWidth', true],
      ['inflation', true],
    ]);
    expect(plan.value).toMatchObject({ plan: { method: 'letkf', seeds: [101, 102, 103, 104, 105, 106] } });
  });

  it('is nothing of a method that has nothing to tune', () => {
    const { choose, form } = tuningsHere();
    expect(choose(subjectOf(), 'free-run')).toBe(false);
    expect(form.value).toBeUndefined();
  });

  it.each([
    [{ from: 'x' }, 'half-width: found "x", allowed: a number'],
    [{ count: '0' }, 'half-width: found "0" values, allowed: a whole number from 1 to 100'],
    [{ from: '9', to: '3' }, 'half-width: the range is from 9 to 3'],
    [{ from: '-1', to: '3' }, 'found -1, allowed: a number above 0'],
  ])('is refused in words: %j', (typed, message) => {
    const { choose, form, change, plan } = tuningsHere();
    choose(subjectOf(), 'letkf');
    const [first, ...others] = form.value?.choices ?? [];
    change({ choices: [{ ...first, ...typed }, ...others] });
    expect(plan.value).toMatchObject({ problem: expect.stringContaining(message) as string });
  });

  it('needs a setting', () => {
    const { choose, form, change, plan } = tuningsHere();
    choose(subjectOf(), 'letkf');
    change({ choices: form.value?.choices.map((choice) => ({ ...choice, chosen: false })) ?? [] });
    expect(plan.value).toEqual({ problem: 'Choose a setting to tune.' });
  });
});

describe('a tuning beside the page', () => {
  it('fills the map, reports how far it is, and ends with what the search found', async () => {
    const tunings = tuningsHere();
    tunings.choose(subjectOf(), 'letkf');
    quick(tunings);
    const ended = tunings.begin('reference');
    // Before anything is run, the map has all that will be run first, waiting.
    expect(tunings.map.cells.value.map(({ median, waiting }) => [median, waiting])).toEqual([
      [null, 2],
      [null, 2],
      [null, 2],
    ]);
    expect(tunings.progress.value).toMatchObject({ done: 0, isLooking: false });
    const said: number[] = [];
    const stop = tunings.progress.subscribe((progress) => progress && said.push(progress.done));
    await ended;
    stop();
    const { found } = tunings.tuned.value?.result ?? {};
    expect(said.at(-1)).toBe(2 * tunings.trials.value.length);
    expect(tunings.map.cells.value.every(({ waiting, median }) => waiting === 0 && median !== null)).toBe(true);
    const best = tunings.map.findings.value?.best ?? -1;
    expect(tunings.trials.value[best].values).toEqual(found?.best.values);
    expect(tunings.map.cells.value[best].median).toBe(found?.best.median);
    expect(tunings.progress.value).toBeUndefined();
  });

  it('stops on request, and what was found stays on the map', async () => {
    const tunings = tuningsHere();
    tunings.choose(subjectOf(), 'letkf');
    quick(tunings);
    const ended = tunings.begin('reference');
    const stop = tunings.progress.subscribe((progress) => {
      if (progress && progress.done > 0) tunings.cancel();
    });
    await ended;
    stop();
    expect(tunings.failure.value).toBeUndefined();
    expect(tunings.tuned.value).toBeUndefined();
    expect(tunings.map.cells.value.some(({ median }) => median !== null)).toBe(true);
  });

  it('reports why it failed', async () => {
    const tunings = createTunings(reader, {
      start() {
        const { page, worker } = wires<TuningCommands, TuningEvent>();
        serveTuning(
          worker,
          () => Promise.reject(new Error('no such device')),
          () => Promise.resolve(),
        );
        return page;
      },
    });
    tunings.choose(subjectOf(), 'letkf');
    await tunings.begin('webgpu');
    expect(tunings.failure.value).toBe('no such device');
  });
});

describe('what was found', () => {
  const tunings = tuningsHere();
  beforeAll(async () => {
    tunings.choose(subjectOf(), 'letkf');
    quick(tunings);
    await tunings.begin('reference');
  });

  function tunedHere() {
    const scenario = createScenarioState();
    scenario.openScenario(validateScenario(SMALL_SCENARIO, 'small'), { name: 'small.json', kind: 'file', files: {} });
    const notices = createNotices();
    let went = '';
    const laboratory = {
      notices,
      overlays: { closeOverlay: () => undefined },
      form: { goToSetting: (path: string) => void (went = path) },
    };
    const known = tunings.tuned.value;
    const { found } = known?.result ?? {};
    if (!known || !found) throw new Error('nothing was found');
    // Whatever was best here, it is taken for something that the scenario does not have.
    const best = { ...found.best, values: [1.25] };
    const tuned = { ...known, opening: 1, result: { ...known.result, found: { ...found, best } } };
    return { tuned, scenario, laboratory, notices, went: () => went };
  }

  it('is set as one step, and taken back as one', () => {
    const { tuned, scenario, laboratory, went } = tunedHere();
    const before = scenario.draft.value;
    setTunedValues(laboratory as never, { scenario } as never, tuned);
    const [inflation] = tuned.result.found?.best.values ?? [];
    expect(valueAt(scenario.draft.value, ['methods', 2, 'inflation'])).toBe(inflation);
    expect(scenario.undoTitle.value).toBe('tune letkf');
    expect(went()).toBe('methods[2].inflation');
    scenario.undo();
    expect(scenario.draft.value).toEqual(before);
  });

  it('is kept as a record without changing a number', () => {
    const { tuned, scenario, laboratory } = tunedHere();
    keepRecord(laboratory as never, { scenario } as never, tuned);
    const { draft, draftScenario } = scenario;
    expect(isRecord(draft.value) && draft.value['methods']).toEqual(SMALL_SCENARIO.methods);
    expect(draftScenario.value?.expected?.scans?.[0].method).toBe('letkf');
  });

  it('is not set in a scenario that no longer has the method there', () => {
    const { tuned, scenario, laboratory, notices } = tunedHere();
    const { methods } = SMALL_SCENARIO;
    scenario.editDraft({ ...SMALL_SCENARIO, methods: [methods[2], methods[0]] }, 'move');
    const before = scenario.draft.value;
    setTunedValues(laboratory as never, { scenario } as never, tuned);
    expect(scenario.draft.value).toBe(before);
    expect(notices.notices.value.map(({ kind }) => kind)).toEqual(['warning']);
  });
});
