/** Changes that nobody saved outlive the page: the next one offers them, and a run that is recovered continues with them. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DraftStore, KeptDraft } from '../../../../app/document/recovery/recovery-store.ts';
import {
  changesNow,
  keepDraft,
  continueDraft,
  offerDraft,
  takeDraft,
  openRecovery,
} from '../../../../app/features/opening/open-kept.ts';
import { createRunView } from '../../../../app/document/run-view.ts';
import type { RunView } from '../../../../app/document/run-view.ts';
import { validateScenario } from '../../../../engine/index.ts';
import { fakeClock, fakeRuns, scenarioOf } from '../../document/run/fake-run.ts';
import { laboratoryOf } from '../../page/laboratory.ts';

const laboratory = laboratoryOf();
const { notices } = laboratory.notices;
const raw = {
  version: 3,
  name: 'small',
  title: 'Small',
  grid: { nx: 4, ny: 4 },
  methods: [{ kind: 'free-run' }, { kind: 'letkf', inflation: 1.1 }],
  experiment: { cycles: 4 },
};
const origin = { name: 'small.json', kind: 'file', files: { 'bed.npy': new Uint8Array([1]) } } as const;

function memoryStore(kept?: KeptDraft): DraftStore & { kept: KeptDraft | undefined } {
  const store: DraftStore & { kept: KeptDraft | undefined } = {
    kept,
    put: (draft) => Promise.resolve(void (store.kept = draft)),
    get: () => Promise.resolve(store.kept),
    clear(page) {
      if (page === undefined || store.kept?.page === page) store.kept = undefined;
      return Promise.resolve();
    },
  };
  return store;
}

function refuse(): Promise<never> {
  return Promise.reject(new Error('private'));
}

/** A page on which the scenario runs as its file has it. */
function open(): RunView {
  const view = createRunView(laboratory, fakeRuns().open, { clock: fakeClock() });
  const parsed = validateScenario(raw, 'test');
  view.scenario.openScenario(parsed, origin);
  view.controller.start(parsed.scenario, origin.files);
  return view;
}

const settle = (): Promise<void> => vi.advanceTimersByTimeAsync(1000).then(() => undefined);

async function press(title: string): Promise<void> {
  notices.value
    .at(-1)
    ?.actions.find((action) => action.title === title)
    ?.run();
  await settle();
}

beforeEach(() => {
  vi.useFakeTimers();
  notices.value = [];
});
afterEach(() => vi.useRealTimers());

describe('what is kept', () => {
  it('is nothing while nothing was changed', async () => {
    const store = memoryStore();
    keepDraft(open(), store, 'a');
    await settle();
    expect(store.kept).toBeUndefined();
  });

  it('is a change that waits to be applied, until it is saved', async () => {
    const store = memoryStore();
    const view = open();
    keepDraft(view, store, 'a');
    view.scenario.setDraftValue('methods[1].inflation', 1.3);
    await settle();
    expect(store.kept).toMatchObject({ page: 'a', run: raw, saved: raw, draft: { methods: [{}, { inflation: 1.3 }] } });
    view.scenario.markSaved('small.json');
    await settle();
    expect(store.kept).toBeUndefined();
  });

  it('is a change that runs and is in no file', async () => {
    const view = open();
    view.scenario.setDraftValue('methods[1].inflation', 1.3);
    await view.controller.apply();
    const kept = changesNow(view, 'a');
    expect(kept?.saved).toEqual(raw);
    expect(kept && 'draft' in kept).toBe(false);
    expect(kept?.run).toMatchObject({ name: 'small' });
  });

  it('of another page is not cleared', async () => {
    const other: KeptDraft = { page: 'b', run: raw, saved: raw, origin };
    const store = memoryStore(other);
    keepDraft(open(), store, 'a');
    await settle();
    expect(store.kept).toBe(other);
  });

  it('may be nothing, where the browser refuses', async () => {
    const store = { put: vi.fn(refuse), get: refuse, clear: refuse };
    const view = open();
    keepDraft(view, store, 'a');
    view.scenario.setDraftValue('seed', 7);
    await settle();
    expect(store.put).toHaveBeenCalledOnce();
    expect(await takeDraft(store)).toBeUndefined();
  });
});

describe('the next page', () => {
  const kept: KeptDraft = {
    page: 'a',
    run: { ...raw, seed: 5 },
    draft: { ...raw, seed: 5, methods: [{ kind: 'free-run' }, { kind: 'letkf', inflation: 1.3 }] },
    saved: raw,
    origin,
  };

  it('offers the changes, and restores run, draft and what the file holds', async () => {
    const view = open();
    offerDraft(laboratory.notices, view, memoryStore(kept), kept);
    expect(notices.value.at(-1)?.lines[0]).toContain('Small');
    await press('Restore');
    const { scenario, edits } = view;
    expect(scenario.appliedScenario.value?.seed).toBe(5);
    expect(scenario.pendingChanges.value.map(({ path }) => path)).toEqual(['methods[1].inflation']);
    expect(scenario.saved.value).toEqual(raw);
    expect(scenario.openedScenario.value?.seed).not.toBe(5);
    expect(scenario.origin.value.files).toHaveProperty(['bed.npy']);
    expect(edits.unsaved.value).toBe(true);
    scenario.undo();
    expect(scenario.pendingChanges.value).toEqual([]);
  });

  it('restores a draft that cannot run yet beside the run that it was made for', async () => {
    const view = open();
    const draft = { ...raw, grid: { nx: 'many' } };
    offerDraft(laboratory.notices, view, memoryStore(), { ...kept, draft });
    await press('Restore');
    expect(view.scenario.appliedScenario.value?.seed).toBe(5);
    expect(view.scenario.problems.value).toHaveLength(1);
  });

  it('forgets them if they are discarded', async () => {
    const store = memoryStore(kept);
    const view = open();
    offerDraft(laboratory.notices, view, store, kept);
    await press('Discard');
    expect(store.kept).toBeUndefined();
    expect(view.edits.unsaved.value).toBe(false);
  });

  it('says what is wrong with a run that cannot be read', async () => {
    const view = open();
    offerDraft(laboratory.notices, view, memoryStore(), { ...kept, run: { name: 'x', version: 3, grid: 'large' } });
    await press('Restore');
    expect(notices.value.at(-1)).toMatchObject({ kind: 'error', title: 'The changes cannot be restored' });
    expect(view.scenario.appliedScenario.value?.name).toBe('small');
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['text', 'text'],
    ['a run that is none', { ...kept, run: 3 }],
    ['files that are none', { ...kept, origin: { ...origin, files: { 'bed.npy': 'text' } } }],
  ])('offers nothing where %s was kept', async (_what, damaged) => {
    expect(await takeDraft(memoryStore(damaged as KeptDraft))).toBeUndefined();
  });
});

it('a run that is recovered continues with what waited to be applied, and knows what its file holds', () => {
  const view = createRunView(laboratory, fakeRuns().open, { clock: fakeClock() });
  const checkpoint = { cycle: 2, arrays: {}, fingerprint: 'f' };
  expect(openRecovery(laboratory.notices, view, { scenario: scenarioOf(4), files: {}, checkpoint })).toBe(true);
  const draft = { ...raw, seed: 9 };
  continueDraft(view, { page: 'a', run: raw, draft, saved: raw, origin });
  expect(view.scenario.draft.value).toEqual(draft);
  expect(view.scenario.saved.value).toEqual(raw);
  continueDraft(view, { page: 'a', run: { ...raw, name: 'another' }, draft: raw, saved: raw, origin });
  expect(view.scenario.draft.value).toEqual(draft);
});
