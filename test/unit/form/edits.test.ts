import { afterEach, describe, expect, it } from 'vitest';
import { chooseVariant, compareWith } from '../../../app/form/edits.ts';
import { buildForm } from '../../../app/form/form-model.ts';
import type { FormNode, LeafNode } from '../../../app/form/form-nodes.ts';
import { isComparable, listedValues, isSliding, sliderScale } from '../../../app/shell/settings/compare-with.tsx';
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

describe('comparing a setting with other values', () => {
  const methods = [{ kind: 'free-run' }, { kind: 'letkf', localisation: { halfWidth: 4 } }, { kind: '3dvar' }];
  const begin = (more: object = { methods }): LeafNode => {
    editDraft({ ...raw, ...more }, 'begin');
    const node = nodeAt(`methods[${'methods' in more ? 1 : 2}].localisation.halfWidth`);
    if (node.kind !== 'number') throw new Error('the half-width is no number');
    return node;
  };

  it('adds the method with each of them behind it, as one step', () => {
    expect(compareWith(run, begin(), [8, 12])).toStrictEqual([]);
    const localised = [
      { kind: 'letkf', localisation: { halfWidth: 4 } },
      { kind: 'letkf', label: 'letkf 2', localisation: { halfWidth: 8 } },
      { kind: 'letkf', label: 'letkf 3', localisation: { halfWidth: 12 } },
    ];
    expect(draft.value).toMatchObject({ methods: [methods[0], ...localised, methods[2]] });
    expect(scenario.undoTitle.value).toBe('compare half-width');
    scenario.undo();
    expect(draft.value).toMatchObject({ methods });
  });

  it('writes the methods down that a scenario has by default', () => {
    expect(compareWith(run, begin({}), [8])).toStrictEqual([]);
    expect(draft.value).toMatchObject({
      methods: [
        { kind: 'free-run' },
        { kind: '3dvar' },
        { kind: 'letkf' },
        { kind: 'letkf', label: 'letkf 2', localisation: { halfWidth: 8 } },
      ],
    });
  });

  it('refuses what is not allowed, or is there twice, and adds nothing', () => {
    const node = begin();
    const before = draft.value;
    expect(compareWith(run, node, [8, -1])[0].message).toContain('found -1');
    expect(compareWith(run, node, [8, 8])[0].message).toBe('found 8 twice, allowed: values that differ');
    expect(compareWith(run, node, [4])[0].message).toContain('found 4 twice');
    expect(draft.value).toBe(before);
  });

  it('takes numbers with spaces, commas or semicolons between, and nothing else', () => {
    const node = begin();
    expect(listedValues(node, ' 4 8,5  12; 16 ')).toStrictEqual([4, 8.5, 12, 16]);
    expect(listedValues(node, '4, 8')).toStrictEqual([4, 8]);
    expect(listedValues(node, '4 wide')).toBeUndefined();
    expect(isComparable(node)).toBe(true);
    expect(isComparable(nodeAt('methods[1].label'))).toBe(false);
    expect(isComparable(nodeAt('grid.nx'))).toBe(false);
  });
});

describe('a slider', () => {
  it('is for what is tuned by hand and applies at the next cycle, with ends about the number that holds', () => {
    editDraft({ ...raw, methods: [{ kind: 'letkf', localisation: { halfWidth: 4 }, inflation: 1.1 }] }, 'begin');
    const inflation = nodeAt('methods[0].inflation');
    const halfWidth = nodeAt('methods[0].localisation.halfWidth');
    if (!isSliding(inflation) || !isSliding(halfWidth)) throw new Error('they have no sliders');
    expect(sliderScale(inflation, 1.1)).toStrictEqual({ from: 1, to: 2, step: 0.01 });
    expect(sliderScale(inflation, 3)).toMatchObject({ from: 1, to: 3 });
    const { from, to, step } = sliderScale(halfWidth, 4);
    expect(from).toBeGreaterThan(0);
    expect(from).toBeLessThan(4);
    expect(to).toBeGreaterThanOrEqual(16);
    expect(step).toBeGreaterThan(0);
    expect([isSliding(nodeAt('grid.nx')), isSliding(nodeAt('methods[0].label'))]).toStrictEqual([false, false]);
  });
});
