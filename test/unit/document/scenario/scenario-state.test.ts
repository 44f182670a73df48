import { beforeEach, describe, expect, it } from 'vitest';
import { parseScenario } from '../../../../engine/index.ts';
import { MAXIMUM_UNDO } from '../../../../app/document/scenario/run-document.ts';
import { createRunStates } from '../../../../app/document/run-view.ts';

const { scenario, edits } = createRunStates();
const {
  openScenario,
  draft,
  draftNow,
  draftScenario,
  draftText,
  editDraft,
  endEdit,
  markSaved,
  origin,
  pendingChanges,
  pendingEffect,
  problems,
  redo,
  redoTitle,
  revertDraft,
  setDraftValue,
  undo,
  undoTitle,
} = scenario;
const { unsaved } = edits;

const TEXT = JSON.stringify({
  version: 3,
  name: 'small',
  grid: { nx: 8, ny: 8, dx: 10, dy: 10 },
  methods: [{ kind: 'letkf', inflation: 1.1 }],
});

beforeEach(() => {
  openScenario(parseScenario(TEXT, 'small.json'), { name: 'small.json', kind: 'file', files: {} });
});

describe('undo and redo', () => {
  it('takes back one change at a time and brings it again', () => {
    setDraftValue('grid.nx', 16);
    setDraftValue('grid.ny', 32);
    expect(undoTitle.value).toBe('set grid.ny');
    undo();
    expect(draftScenario.value?.grid).toMatchObject({ nx: 16, ny: 8 });
    undo();
    expect(draftScenario.value?.grid).toMatchObject({ nx: 8, ny: 8 });
    expect(undoTitle.value).toBeUndefined();
    redo();
    redo();
    expect(draftScenario.value?.grid).toMatchObject({ nx: 16, ny: 32 });
    expect(redoTitle.value).toBeUndefined();
  });

  it('makes one step of a value that is changed several times in a row', () => {
    for (const nx of [9, 10, 11]) setDraftValue('grid.nx', nx);
    undo();
    expect(draftScenario.value?.grid.nx).toBe(8);
  });

  it('has nothing to take back where a row of edits ends as it began', () => {
    for (const nx of [9, 10, 8]) setDraftValue('grid.nx', nx);
    expect(undoTitle.value).toBeUndefined();
    setDraftValue('grid.ny', 32);
    undo();
    expect(draftScenario.value?.grid).toMatchObject({ nx: 8, ny: 8 });
  });

  it('makes two steps where the edit ended in between', () => {
    setDraftValue('grid.nx', 9);
    endEdit();
    setDraftValue('grid.nx', 10);
    undo();
    expect(draftScenario.value?.grid.nx).toBe(9);
  });

  it('forgets what was undone when another change is made', () => {
    setDraftValue('grid.nx', 16);
    undo();
    setDraftValue('grid.ny', 16);
    redo();
    expect(draftScenario.value?.grid).toMatchObject({ nx: 8, ny: 16 });
  });

  it('keeps a bounded number of steps', () => {
    for (let step = 0; step < MAXIMUM_UNDO + 10; step += 1) {
      editDraft({ ...(draft.value as object), seed: step + 2 }, `step ${step}`);
    }
    let undone = 0;
    while (undoTitle.value !== undefined) {
      undo();
      undone += 1;
    }
    expect(undone).toBe(MAXIMUM_UNDO);
    expect(draftScenario.value?.seed).toBe(11);
  });

  it('does nothing if there is nothing to do', () => {
    const before = draft.value;
    undo();
    redo();
    editDraft(structuredClone(before), 'nothing');
    expect(draft.value).toBe(before);
    expect(undoTitle.value).toBeUndefined();
  });
});

describe('what is wrong', () => {
  it('refuses a value that its setting does not allow, and changes nothing', () => {
    const [problem] = setDraftValue('grid.nx', -1);
    expect(problem.path).toEqual(['grid', 'nx']);
    expect(draftScenario.value?.grid.nx).toBe(8);
    expect(undoTitle.value).toBeUndefined();
  });

  it('reports what a change breaks elsewhere, and can take it back', () => {
    editDraft({ ...(draft.value as object), methods: [] }, 'remove the method');
    expect(problems.value.length).toBeGreaterThan(0);
    expect(draftScenario.value).toBeUndefined();
    undo();
    expect(problems.value).toStrictEqual([]);
    expect(draftScenario.value?.methods).toHaveLength(1);
  });
});

describe('what a change does to the run', () => {
  it.each([
    ['methods[0].inflation', 1.5, 'next-cycle'],
    ['methods[0].localisation.halfWidth', 2, 'next-cycle'],
    ['experiment.cycles', 99, 'next-cycle'],
    ['grid.nx', 16, 'restart'],
    ['seed', 5, 'restart'],
    ['methods[0].label', 'other', 'restart'],
    ['title', 'Words', 'none'],
  ])('%s', (path, value, effect) => {
    setDraftValue(path, value);
    expect(pendingEffect.value).toBe(effect);
    expect(pendingChanges.value.map((change) => change.path)).toStrictEqual([path]);
    revertDraft();
    expect(pendingEffect.value).toBe('none');
  });

  it('needs a restart when a method is added', () => {
    setDraftValue('methods[1]', { kind: 'free-run' });
    expect(pendingEffect.value).toBe('restart');
  });
});

describe('what is not saved', () => {
  it('is known until it is saved, or taken back', () => {
    expect(unsaved.value).toBe(false);
    setDraftValue('seed', 3);
    expect(unsaved.value).toBe(true);
    undo();
    expect(unsaved.value).toBe(false);
    redo();
    markSaved('other.json');
    expect(unsaved.value).toBe(false);
  });

  it('is written as a file that opens as the same scenario', () => {
    setDraftValue('seed', 3);
    expect(parseScenario(draftText(), 'written').scenario).toStrictEqual(draftScenario.value);
  });
});

describe('saving', () => {
  it('leaves what was changed while it was written unsaved', () => {
    setDraftValue('seed', 7);
    const version = draftNow();
    setDraftValue('seed', 8);
    expect(JSON.parse(draftText(version))).toMatchObject({ seed: 7 });
    markSaved('mine.json', version);
    expect(unsaved.value).toBe(true);
    setDraftValue('seed', 7);
    expect(unsaved.value).toBe(false);
  });

  it('says nothing of a scenario that was opened while the other one was written', () => {
    const version = draftNow();
    const other = TEXT.replace('small', 'other');
    openScenario(parseScenario(other, 'other.json'), { name: 'other.json', kind: 'file', files: {} });
    markSaved('mine.json', version);
    expect(origin.value.name).toBe('other.json');
    expect(unsaved.value).toBe(false);
  });
});
