/** The lock file names each package by its content, those for other systems too. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Locked {
  readonly integrity?: string;
  readonly link?: boolean;
}

it('has a checksum of every package, and no address of a registry', () => {
  const text = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8');
  const { packages } = JSON.parse(text) as { readonly packages: Readonly<Record<string, Locked>> };
  const without = Object.entries(packages).filter(([path, { integrity, link }]) => path !== '' && !link && !integrity);
  expect(without.map(([path]) => path)).toEqual([]);
  expect(text).not.toContain('"resolved"');
});
