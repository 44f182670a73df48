import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cellsOf, parseScenario, scenarioJsonSchema, validateScenario } from '../../../engine/index.ts';
import { buildForm, leavesOf, schemaAt, switchVariant } from '../../../app/form/form-model.ts';
import type { FormNode, LeafNode } from '../../../app/form/form-nodes.ts';
import { filterNode, filterWords, titledLeaves } from '../../../app/form/form-nodes.ts';
import { formatPath } from '../../../app/format/paths.ts';

const schema = scenarioJsonSchema();
const draft = {
  version: 3,
  name: 'test',
  grid: { nx: 32 },
  methods: [{ kind: 'free-run' }, { kind: 'letkf', inflation: 1.1, label: 'wide' }],
};
const running = validateScenario(draft, 'test').scenario;

function leaf(raw: unknown, path: string, compared: unknown = running): LeafNode {
  const found = buildForm(schema, raw, compared)
    .flatMap(leavesOf)
    .find((node) => formatPath(node.path) === path);
  if (!found) throw new Error(`the form has no ${path}`);
  return found;
}

function pathsOf(nodes: readonly LeafNode[]): string[] {
  return nodes.map(({ path }) => formatPath(path));
}

function group(raw: unknown, path: string): FormNode {
  const found = buildForm(schema, raw, running).find((node) => formatPath(node.path) === path);
  if (!found) throw new Error(`the form has no group ${path}`);
  return found;
}

describe('buildForm', () => {
  it('has a group for each part of the scenario', () => {
    expect(buildForm(schema, draft, running).map(({ path }) => formatPath(path))).toEqual([
      'grid',
      'model',
      'truth',
      'background',
      'observations',
      'methods',
      'experiment',
      '',
    ]);
  });

  it('gives numbers their unit, range, value and default', () => {
    expect(leaf(draft, 'grid.nx')).toMatchObject({
      kind: 'number',
      integer: true,
      unit: 'cells',
      value: 32,
      fallback: 64,
      written: true,
      range: { minimum: 4, maximum: 8192 },
    });
    expect(leaf(draft, 'grid.ny')).toMatchObject({ value: 64, written: false });
    expect(leaf(draft, 'model.gravity').help).toContain('gravity');
  });

  it('knows a number that may be a word, choices, toggles, pairs and lists of numbers', () => {
    expect(leaf(draft, 'model.timeStep')).toMatchObject({ kind: 'number', word: 'auto', value: 'auto', unit: 's' });
    expect(leaf(draft, 'model.scheme')).toMatchObject({ kind: 'choice', value: 'central-upwind' });
    expect(leaf(draft, 'methods[1].rotation')).toMatchObject({ kind: 'toggle', value: false });
    expect(leaf(draft, 'truth.initial.amplitude')).toMatchObject({ kind: 'tuple', value: [0.1, 0.5] });
    expect(leaf(draft, 'observations[0].times')).toMatchObject({ kind: 'numbers', columns: 1 });
    expect(leaf(draft, 'description')).toMatchObject({ kind: 'text', long: true });
  });

  it('fills a section that is omitted from its own default', () => {
    const raw = { ...draft, methods: [{ kind: '3dvar' }] };
    expect(leaf(raw, 'methods[0].covariance.standardDeviation.h')).toMatchObject({ value: 0.05, written: false });
    expect(leaf(raw, 'methods[0].covariance.standardDeviation.hu')).toMatchObject({ value: 0 });
  });

  it('shows the entries of a list that is omitted', () => {
    expect(leaf({ version: 3, name: 'bare' }, 'methods[2].localisation.halfWidth')).toMatchObject({ value: 4 });
  });

  it('marks nothing as changed in what runs', () => {
    const changed = buildForm(schema, draft, running)
      .flatMap((node) => [node, ...leavesOf(node)])
      .filter((node) => node.changed);
    expect(changed).toEqual([]);
  });

  it('marks a change, and all that it is in', () => {
    const next = { ...draft, methods: [draft.methods[0], { ...draft.methods[1], inflation: 1.3 }] };
    expect(leaf(next, 'methods[1].inflation').changed).toBe(true);
    expect(leaf(next, 'methods[1].rotation').changed).toBe(false);
    expect(group(next, 'methods').changed).toBe(true);
    expect(group(next, 'grid').changed).toBe(false);
  });

  it('marks nothing if nothing runs', () => {
    expect(leaf(draft, 'grid.nx', undefined).changed).toBe(false);
  });

  it('marks a list that is shorter or longer', () => {
    expect(group({ ...draft, methods: [draft.methods[0]] }, 'methods').changed).toBe(true);
  });

  const bundled = readdirSync('scenarios').filter((file) => file.endsWith('.json') && !file.includes('schema'));
  it.each(bundled)('shows every value of %s as it runs', (file) => {
    const { raw, scenario } = parseScenario(readFileSync(`scenarios/${file}`, 'utf8'), file);
    const leaves = buildForm(scenarioJsonSchema(cellsOf(raw)), raw, scenario).flatMap(leavesOf);
    expect(leaves.length).toBeGreaterThan(40);
    expect(pathsOf(leaves.filter(({ changed }) => changed))).toEqual([]);
    expect(pathsOf(leaves.filter(({ title, help }) => title === '' || help === ''))).toEqual([]);
  });
});

describe('filterNode', () => {
  const methods = group(draft, 'methods');

  it('keeps what has all words, and what it is in', () => {
    const left = filterNode(methods, filterWords('half-width'), false);
    expect(left && leavesOf(left).map(({ path }) => formatPath(path))).toEqual(['methods[1].localisation.halfWidth']);
    const inside = filterNode(methods, filterWords('localisation half'), false);
    expect(inside && leavesOf(inside)).toHaveLength(1);
  });

  it('keeps all of a group that has the words itself, and nothing if nothing has them', () => {
    const all = filterNode(methods, filterWords('METHODS'), false);
    expect(all && leavesOf(all)).toHaveLength(leavesOf(methods).length);
    expect(filterNode(methods, filterWords('bathymetry'), false)).toBeUndefined();
  });

  it('keeps changes alone', () => {
    const next = group({ ...draft, grid: { nx: 40 } }, 'grid');
    const left = filterNode(next, [], true);
    expect(left && leavesOf(left).map(({ path }) => formatPath(path))).toEqual(['grid.nx']);
  });
});

describe('variants', () => {
  it('keeps what both kinds know', () => {
    const letkf = { kind: 'letkf', label: 'a', inflation: 1.2, rotation: true };
    const items = schemaAt(schema, draft, ['methods', 1]);
    expect(items && switchVariant(items, letkf, 'enkf')).toEqual({ kind: 'enkf', label: 'a', inflation: 1.2 });
  });

  it('finds the schema in the variant that the draft has, also where the draft says nothing', () => {
    expect(schemaAt(schema, draft, ['methods', 1, 'inflation'])?.minimum).toBe(1);
    expect(schemaAt(schema, draft, ['truth', 'initial', 'width'])?.unit).toBe('m');
    expect(schemaAt(schema, draft, ['methods', 0, 'inflation'])).toBeUndefined();
  });
});

it('names every setting by all that it is in', () => {
  const form = buildForm(schema, draft, running);
  const titled = titledLeaves(form);
  expect(titled.map(({ path }) => path)).toEqual(pathsOf(form.flatMap(leavesOf)));
  const titles = new Map(titled.map(({ path, title }) => [path, title]));
  expect(titles.get('methods[1].localisation.halfWidth')).toBe('Methods › wide › Localisation › Half-width');
  expect(titles.get('grid.nx')).toMatch(/^Grid › /);
  expect(new Set(titles.values()).size).toBe(titles.size);
});

function deviations(model: object, standardDeviation: object): string[] {
  const methods = [{ kind: '3dvar', covariance: { kind: 'recursive-filter', length: 3, standardDeviation } }];
  return pathsOf(buildForm(schema, { ...draft, model, methods }, undefined).flatMap(leavesOf))
    .filter((path) => path.includes('.standardDeviation.'))
    .map((path) => path.split('.').at(-1) ?? '');
}

it('asks for standard deviations of the model’s own variables, and of others where a draft has them', () => {
  expect(deviations({}, { h: 0.05 })).toEqual(['h', 'hu', 'hv']);
  expect(deviations({ kind: 'lorenz-96' }, { x: 1 })).toEqual(['x']);
  expect(deviations({ kind: 'lorenz-96' }, { h: 0.05 })).toEqual(['h', 'x']);
});
