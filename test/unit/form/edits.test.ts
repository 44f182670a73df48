import { afterEach, describe, expect, it } from 'vitest';
import { chooseVariant } from '../../../app/form/edits.ts';
import { buildForm } from '../../../app/form/form-model.ts';
import type { FormNode } from '../../../app/form/form-nodes.ts';
import { formatPath } from '../../../app/format/paths.ts';
import type { RunView } from '../../../app/document/run-view.ts';
import { createScenarioState } from '../../../app/document/scenario/scenario-state.ts';
import { scenarioJsonSchema } from '../../../engine/index.ts';
import { NETWORKS } from '../../../engine/networks/index.ts';

const scenario = createScenarioState();
const { draft, draftScenario, problems, editDraft } = scenario;
const run = { scenario } as RunView;

const raw = {
  version: 3,
  name: 'edited',
  grid: { nx: 33, ny: 21 },
  observations: [{ network: { kind: 'random', count: 7 } }],
};

function nodeAt(path: string): FormNode {
  const find = (nodes: readonly FormNode[]): FormNode | undefined => {
    for (const node of nodes) {
      if (formatPath(node.path) === path) return node;
      const inside = node.kind === 'section' ? node.children : node.kind === 'list' ? node.entries : [];
      const found = find(inside);
      if (found) return found;
    }
    return undefined;
  };
  const node = find(buildForm(scenarioJsonSchema(), draft.value, undefined));
  if (!node) throw new Error(`the form has no ${path}`);
  return node;
}

afterEach(() => editDraft(raw, 'begin'));

describe('choosing another kind of network', () => {
  it.each(NETWORKS.map(({ kind }) => kind).filter((kind) => kind !== 'file'))(
    '%s leaves a scenario that can run',
    (kind) => {
      editDraft(raw, 'begin');
      chooseVariant(run, nodeAt('observations[0].network'), kind);
      expect(problems.value).toEqual([]);
      expect(draftScenario.value?.observations[0].network.kind).toBe(kind);
    },
  );

  it('keeps what both kinds have, and proposes what the new one needs', () => {
    editDraft(raw, 'begin');
    chooseVariant(run, nodeAt('observations[0].network'), 'section');
    expect(draft.value).toMatchObject({
      observations: [{ network: { kind: 'section', count: 7, from: [8, 10], to: [24, 10] } }],
    });
  });

  it('from a file leaves it to the person to say which', () => {
    editDraft(raw, 'begin');
    chooseVariant(run, nodeAt('observations[0].network'), 'file');
    expect(problems.value.map(({ path }) => formatPath(path))).toEqual(['observations[0].network.file']);
  });
});
