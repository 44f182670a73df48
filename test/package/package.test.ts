/**
 * The unpacked Linux package, made with a stub in place of Electron's runtime: what the archive holds, what the runtime may
 * not do any more, and what the system is told of the application.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = new URL('../..', import.meta.url).pathname;
const require = createRequire(import.meta.url);
const asar: {
  listPackage(archive: string, options: { isPack: boolean }): string[];
  extractFile(archive: string, name: string): Buffer;
  statFile(archive: string, name: string): { readonly size?: number; readonly files?: object };
} = require('@electron/asar');

/** Before the fuses in a real runtime; after it the version of the wire, its length, and a character a fuse. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const FUSES = [
  'runAsNode',
  'cookieEncryption',
  'nodeOptions',
  'nodeCliInspect',
  'asarIntegrity',
  'onlyAsar',
  'browserSnapshot',
  'fileProtocol',
] as const;
const ON = '1';
const OFF = '0';

let folder = '';
let unpacked = '';

/** A folder that looks like Electron's runtime to the packager, with fuses as they are delivered. */
function stubRuntime(): string {
  const runtime = join(folder, 'runtime');
  mkdirSync(join(runtime, 'resources'), { recursive: true });
  mkdirSync(join(runtime, 'locales'));
  const wire = Buffer.concat([Buffer.from(SENTINEL), Buffer.from([1, FUSES.length]), Buffer.from('10110001')]);
  writeFileSync(join(runtime, 'electron'), Buffer.concat([Buffer.alloc(64), wire, Buffer.alloc(64)]));
  chmodSync(join(runtime, 'electron'), 0o755);
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'locales/en-US.pak'])
    writeFileSync(join(runtime, name), name);
  writeFileSync(join(runtime, 'version'), require('electron/package.json').version);
  return runtime;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shoal-package-'));
  const words = [
    join(root, 'app/cli/bootstrap.mjs'),
    '--task',
    'package',
    '--linux',
    'dir',
    `--config.electronDist=${stubRuntime()}`,
    `--config.directories.output=${join(folder, 'dist')}`,
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`packaging failed:\n${stdout}\n${stderr}`);
  unpacked = join(folder, 'dist', 'linux-unpacked');
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function archive(): string {
  return join(unpacked, 'resources', 'app.asar');
}

/** Files of the archive, without folders, with forward slashes. */
function files(): string[] {
  return asar
    .listPackage(archive(), { isPack: false })
    .filter((path) => asar.statFile(archive(), path.slice(1)).files === undefined)
    .map((path) => path.slice(1).replaceAll('\\', '/'));
}

describe('the archive', () => {
  it('holds main process, bridge, page, worker, fonts and package.json', () => {
    const found = files();
    for (const name of ['package.json', 'out/main/index.js', 'out/preload/index.cjs', 'out/renderer/index.html']) {
      expect(found).toContain(name);
    }
    expect(found.filter((name) => /^out\/renderer\/assets\/index-.*\.js$/.test(name))).toHaveLength(1);
    expect(found.filter((name) => /^out\/renderer\/assets\/worker-.*\.js$/.test(name))).toHaveLength(1);
    expect(found.some((name) => /^out\/renderer\/assets\/inter-latin.*\.woff2$/.test(name))).toBe(true);
  });

  it('holds nothing else: no packages, no sources, no maps, no command line', () => {
    const kinds =
      /^(package\.json|out\/main\/index\.js|out\/preload\/index\.cjs|out\/renderer\/(index\.html|assets\/[^/]+\.(js|css|woff2|svg|png|webp|json)))$/;
    expect(files().filter((name) => !kinds.test(name))).toEqual([]);
    expect(existsSync(join(unpacked, 'resources', 'app.asar.unpacked'))).toBe(false);
    expect(existsSync(join(unpacked, 'resources', 'app'))).toBe(false);
  });

  it('starts with its own main process and needs no package at run time', () => {
    const description = JSON.parse(asar.extractFile(archive(), 'package.json').toString('utf8'));
    expect(description).toMatchObject({ name: 'shoal', main: 'out/main/index.js', type: 'module' });
    expect(description).not.toHaveProperty('devDependencies');
    const main = asar.extractFile(archive(), 'out/main/index.js').toString('utf8');
    const imported = [...main.matchAll(/^import\b[^'"]*['"]([^'"]+)['"]/gm)].map(([, name]) => name);
    expect(imported.length).toBeGreaterThan(0);
    expect(imported.filter((name) => name !== 'electron' && !name.startsWith('node:'))).toEqual([]);
    const preload = asar.extractFile(archive(), 'out/preload/index.cjs').toString('utf8');
    expect([...preload.matchAll(/require\(['"`]([^'"`]+)['"`]\)/g)].map(([, name]) => name)).toEqual(['electron']);
  });

  it('has a page without inline script or style, which its security policy would refuse', () => {
    const page = asar.extractFile(archive(), 'out/renderer/index.html').toString('utf8');
    expect(page).not.toMatch(/<style|style=|<script(?![^>]*\bsrc=)|\son\w+=/);
    expect(page).not.toMatch(/https?:/);
  });
});

describe('the runtime', () => {
  it('has its fuses blown', () => {
    const executable = readFileSync(join(unpacked, 'shoal-app'), 'latin1');
    const wire = executable.slice(executable.indexOf(SENTINEL) + SENTINEL.length + 2);
    const state = Object.fromEntries(FUSES.map((name, i) => [name, wire[i]]));
    expect(state).toEqual({
      runAsNode: OFF,
      cookieEncryption: ON,
      nodeOptions: OFF,
      nodeCliInspect: OFF,
      asarIntegrity: ON,
      onlyAsar: ON,
      browserSnapshot: OFF,
      fileProtocol: OFF,
    });
  });
});

describe('what the system is told', () => {
  it('names installers for Linux, macOS and Windows, and opens scenario files', async () => {
    const { default: configuration } = await import(join(root, 'electron-builder.config.mjs'));
    expect(configuration.linux.target).toEqual(['AppImage', 'deb']);
    expect(configuration.mac.target).toEqual(['dmg']);
    expect(configuration.win.target).toEqual(['nsis']);
    const [own, any] = configuration.fileAssociations;
    expect(own).toMatchObject({ ext: 'shoal.json', role: 'Editor' });
    expect(any).toMatchObject({ ext: 'json', rank: 'Alternate' });
  });

  it('has an icon of 1024 × 1024', () => {
    const icon = readFileSync(join(root, 'assets', 'icon.png'));
    expect(icon.subarray(1, 4).toString('latin1')).toBe('PNG');
    expect([icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual([1024, 1024]);
  });
});
