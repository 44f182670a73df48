/** Only settings that differ from what runs are marked as changed. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildForm, leavesOf } from '../../../app/form/form-model.ts';
import { formatPath } from '../../../app/format/paths.ts';
import { cellsOf, scenarioJsonSchema, validateScenario } from '../../../engine/index.ts';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'scenarios');
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json') && !name.includes('schema'));

function formOf(raw: unknown, running = raw): ReturnType<typeof buildForm> {
  const { scenario } = validateScenario(running, 'test');
  return buildForm(scenarioJsonSchema(cellsOf(raw)), raw, scenario);
}

function changedIn(raw: unknown, running = raw): string[] {
  const leaves = formOf(raw, running).flatMap(leavesOf);
  return leaves.filter(({ changed }) => changed).map(({ path }) => formatPath(path));
}

it.each(files)('nothing of %s is changed while it runs as it is', (file) => {
  const raw: unknown = JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
  expect(formOf(raw).some(({ changed }) => changed)).toBe(false);
  expect(changedIn(raw)).toEqual([]);
});

const withMethods = (...methods: readonly object[]): object => ({ version: 3, name: 'test', methods });

describe('a list whose entries come, go and move', () => {
  const [free, letkf, hybrid] = [{ kind: 'free-run' }, { kind: 'letkf' }, { kind: 'hybrid', label: 'Hybrid' }];
  const running = withMethods(free, letkf, hybrid);

  const changedEntries = (raw: unknown): unknown[] => {
    const list = formOf(raw, running).find(({ path }) => formatPath(path) === 'methods');
    if (list?.kind !== 'list') throw new Error('the form has no methods');
    return [list.changed, ...list.entries.map(({ changed }) => changed)];
  };

  it('leaves the hybrid unmarked after a method before it was removed', () => {
    const raw = withMethods(free, hybrid);
    expect(changedEntries(raw)).toEqual([true, false, false]);
    expect(changedIn(raw, running)).toEqual([]);
  });

  it('marks an entry that was added, and not those after it', () => {
    const raw = withMethods(free, letkf, { kind: 'letkf', label: 'letkf 2' }, hybrid);
    expect(changedEntries(raw)).toEqual([true, false, false, true, false]);
  });

  it('marks the list alone where the order differs', () => {
    expect(changedEntries(withMethods(free, hybrid, letkf))).toEqual([true, false, false, false]);
  });

  it('compares an entry with another name with the one in its place', () => {
    const raw = withMethods(free, { ...letkf, label: 'narrow' }, hybrid);
    expect(changedEntries(raw)).toEqual([true, false, true, false]);
    expect(changedIn(raw, running)).toEqual(['methods[1].label']);
  });
});
