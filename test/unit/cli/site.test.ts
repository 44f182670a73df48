/** What `npm run site` refuses before it builds anything: the folder is replaced as a whole. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const { checkReplaceable } = (await import(
  new URL('../../../app/cli/bootstrap/library.mjs', import.meta.url).href
)) as {
  readonly checkReplaceable: (folder: string) => void;
};

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shoal-site-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the folder of a site', () => {
  it('may be new, or empty, or an earlier site', () => {
    checkReplaceable(join(folder, 'new'));
    checkReplaceable(folder);
    mkdirSync(join(folder, 'assets'));
    for (const name of ['index.html', 'service-worker.js']) writeFileSync(join(folder, name), '');
    expect(() => checkReplaceable(folder)).not.toThrow();
  });

  it('may hold nothing of anybody else', () => {
    writeFileSync(join(folder, 'thesis.tex'), '');
    expect(() => checkReplaceable(folder)).toThrow('(found "thesis.tex" in it); name an empty folder');
    expect(readdirSync(folder)).toStrictEqual(['thesis.tex']);
  });

  it('is no page of anybody else', () => {
    writeFileSync(join(folder, 'index.html'), '');
    expect(() => checkReplaceable(folder)).toThrow('it lacks assets');
  });
});

it('begins with a page that names its icon, so that no browser asks for /favicon.ico', () => {
  const page = new URL('../../../app/shell/index.html', import.meta.url);
  const icons = [...readFileSync(page, 'utf8').matchAll(/<link rel="icon" [^>]*href="([^"]+)"/g)].map(
    ([, path]) => path,
  );
  expect(icons.length).toBeGreaterThan(0);
  for (const icon of icons) expect(existsSync(new URL(icon, page))).toBe(true);
});
