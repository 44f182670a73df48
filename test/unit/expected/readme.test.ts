/** The README's table of the shipped scenarios is what their files hold. */
import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseScenario } from '../../../engine/index.ts';
import { tableRows } from '../../expected/table.ts';

const root = new URL('../../../', import.meta.url);
const cells = (row: string): string =>
  row
    .split('|')
    .map((cell) => cell.trim())
    .join('|');
const readme = readFileSync(new URL('README.md', root), 'utf8').split('\n').map(cells);

it.each(
  readdirSync(new URL('scenarios/', root)).filter((name) => name.endsWith('.json') && !name.includes('.schema.')),
)('tells the results of %s', (name) => {
  const { scenario } = parseScenario(readFileSync(new URL(`scenarios/${name}`, root), 'utf8'), name);
  const rows = tableRows(scenario);
  expect(rows.length).toBe(scenario.methods.length);
  for (const row of rows) expect(readme).toContain(cells(row));
});
