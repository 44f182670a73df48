import { afterEach, describe, expect, it } from 'vitest';
import { draftMessages } from '../../../app/form/edits.ts';
import type { RunView } from '../../../app/document/run-view.ts';
import { createScenarioState } from '../../../app/document/scenario/scenario-state.ts';

const scenario = createScenarioState();
const { editDraft } = scenario;
const run = { scenario } as RunView;

const letkf = { kind: 'letkf', inflation: 1 };
const raw = { version: 3, name: 'told', grid: { nx: 16, ny: 16 }, methods: [letkf] };

afterEach(() => editDraft(raw, 'begin'));

describe('what is reported of the draft', () => {
  it('is each problem at its path', () => {
    editDraft({ ...raw, methods: [letkf, { ...letkf, inflation: 0.5 }] }, 'begin');
    expect(draftMessages(run)).toEqual([
      { kind: 'problem', path: 'methods[1].inflation', text: 'found 0.5, allowed: a number from 1 to 100' },
    ]);
  });

  it('is each warning at its path if there is no problem', () => {
    editDraft(raw, 'begin');
    expect(draftMessages(run)).toContainEqual({
      kind: 'warning',
      path: 'methods[0].inflation',
      text: '1, without relaxation and with 20 members: the spread will fall below the error',
    });
  });
});
