/** The pages that are read beside the code: the table of the shipped scenarios is what their files hold, and links lead somewhere. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseScenario } from '../../../engine/index.ts';
import { NETWORKS } from '../../../engine/networks/index.ts';
import { tableRows } from '../../expected/table.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** A row of a table, however wide its columns are set. */
function cells(row: string): string {
  return row
    .split('|')
    .map((cell) => cell.trim())
    .join('|');
}

/** The headings of a page, as GitHub names them in links. */
function anchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  );
}

function isBroken(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  return !existsSync(join(root, target)) || (anchor !== undefined && !anchors(read(target)).includes(anchor));
}

describe('the results of the shipped scenarios', () => {
  const told = read('scenarios/README.md').split('\n').map(cells);

  it.each(readdirSync(join(root, 'scenarios')).filter((name) => name.endsWith('.json') && !name.includes('.schema.')))(
    'reports %s',
    (name) => {
      const { scenario } = parseScenario(read(`scenarios/${name}`), name);
      const rows = tableRows(scenario);
      expect(rows.length).toBe(scenario.methods.length);
      for (const row of rows) expect(told).toContain(cells(row));
    },
  );
});

it.each(NETWORKS.map(({ kind }) => kind))('scenarios/README names the network `%s`', (kind) => {
  const [sentence = ''] = /^- A network observes .*$/m.exec(read('scenarios/README.md')) ?? [];
  expect(sentence).toContain(`\`${kind}\``);
});

describe('the links of a page lead somewhere', () => {
  const pages = ['app', 'engine', 'scenarios', 'test', 'assets'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('README.md'))
      .map((name) => join(folder, name)),
  );

  it('from each of several pages', () => expect(pages.length).toBeGreaterThan(5));

  it.each(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...pages])('%s', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => isBroken(page, link))).toEqual([]);
  });
});
