/**
 * The Linux packages, made with stubs in place of Electron's runtime and of the tools that wrap up .deb and AppImage: what
 * the archive holds, what the runtime may not do any more, and what the system knows of the application.
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

/** In place of fpm, which makes a .deb: keeps what it is called with, and the files that go beside the application. */
const FPM = `#!/bin/sh
printf '%s\\n' "$@" > FOLDER/deb/words
for word in "$@"; do
  case "$word" in *=/usr/*) mkdir -p "FOLDER/deb$(dirname "\${word#*=}")" && cp "\${word%%=*}" "FOLDER/deb\${word#*=}" ;; esac
done
`;
/** In place of mksquashfs, which makes an AppImage of a folder: keeps the folder. */
const MAKE_IMAGE = `#!/bin/sh
cp -R "$1" FOLDER/image && head -c 65536 /dev/zero > "$2"
`;

/** @returns what points the packager to the stubs */
function stubTools(): Record<string, string> {
  const tools = join(folder, 'tools');
  for (const name of ['linux-x64', 'lib/x64']) mkdirSync(join(tools, name), { recursive: true });
  mkdirSync(join(folder, 'deb'));
  const script = (name: string, text: string): string => {
    writeFileSync(join(tools, name), text.replaceAll('FOLDER', folder), { mode: 0o755 });
    return join(tools, name);
  };
  script('linux-x64/mksquashfs', MAKE_IMAGE);
  script('linux-x64/desktop-file-validate', '#!/bin/sh\n');
  writeFileSync(join(tools, 'runtime-x64'), 'runtime');
  return { CUSTOM_FPM_PATH: script('fpm', FPM), APPIMAGE_TOOLS_PATH: tools };
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shoal-package-'));
  const words = [
    join(root, 'app/cli/bootstrap.mjs'),
    '--task',
    'package',
    '--linux',
    'deb',
    'AppImage',
    '--x64',
    `--config.electronDist=${stubRuntime()}`,
    `--config.directories.output=${join(folder, 'dist')}`,
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...stubTools() },
  });
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
    expect(found.filter((name) => /^out\/renderer\/assets\/run-worker-[\w-]{8}\.js$/.test(name))).toHaveLength(1);
    expect(found).toContain('out/renderer/assets/licenses.md');
    expect(found.some((name) => /^out\/renderer\/assets\/inter-latin.*\.woff2$/.test(name))).toBe(true);
  });

  it('holds nothing else: no packages, no sources, no maps, no command line', () => {
    const kinds =
      /^(package\.json|out\/main\/(index\.js|licenses\.md)|out\/preload\/index\.cjs|out\/renderer\/(index\.html|assets\/[^/]+\.(js|css|woff2|svg|png|webp|json|md)))$/;
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

describe('what the system knows', () => {
  it('names installers for Linux, macOS and Windows, and opens scenario files', async () => {
    const { default: configuration } = await import(join(root, 'electron-builder.config.mjs'));
    expect(configuration.linux.target).toEqual(['AppImage', 'deb']);
    expect(configuration.mac.target).toEqual(['dmg']);
    expect(configuration.win.target).toEqual(['nsis']);
    expect(configuration.fileAssociations).toEqual([
      expect.objectContaining({ ext: 'shoal.json', role: 'Editor' }),
      expect.objectContaining({ ext: 'shoal', role: 'Viewer' }),
    ]);
    expect(configuration.mac.fileAssociations).toEqual([expect.objectContaining({ ext: 'json', rank: 'Alternate' })]);
  });

  it('is offered for .json files on Windows, and takes them from no other program', async () => {
    const { default: configuration } = await import(join(root, 'electron-builder.config.mjs'));
    expect(configuration.win).not.toHaveProperty('fileAssociations');
    const script = readFileSync(join(root, configuration.nsis.include), 'utf8');
    const [{ name }] = configuration.fileAssociations;
    const place = `SHELL_CONTEXT "Software\\Classes\\.json\\OpenWithProgids" "${name}"`;
    expect(script).toContain(`WriteRegStr ${place} ""`);
    expect(script).toContain(`DeleteRegValue ${place}`);
  });

  it('has an icon of 1024 × 1024', () => {
    const icon = readFileSync(join(root, 'assets', 'icon.png'));
    expect(icon.subarray(1, 4).toString('latin1')).toBe('PNG');
    expect([icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual([1024, 1024]);
  });
});

/** The keys of a desktop entry. */
function entryOf(path: string): Record<string, string> {
  const [title, ...lines] = readFileSync(path, 'utf8').trim().split('\n');
  expect(title).toBe('[Desktop Entry]');
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}

describe.each([
  ['a .deb', 'deb/usr/share', 'deb/usr/share/applications/shoal-app.desktop', /^\/opt\/Shoal\/shoal-app %U$/],
  ['an AppImage', 'image/usr/share', 'image/shoal-app.desktop', /^AppRun %U$/],
])('%s', (_kind, share, desktop, command) => {
  it('hands scenarios over to the application, and .json files of others to nobody', () => {
    const entry = entryOf(join(folder, desktop));
    expect(entry['Exec']).toMatch(command);
    expect(new Set(entry['MimeType'].split(';'))).toEqual(
      new Set(['application/vnd.shoal.scenario+json', 'application/vnd.shoal.bundle+zip', '']),
    );
    expect(entry).toMatchObject({ Name: 'Shoal', Type: 'Application', Terminal: 'false', Categories: 'Education;' });
  });

  it('has an entry that the window is found by, and icons in the sizes of Linux', () => {
    const { StartupWMClass, Icon } = entryOf(join(folder, desktop));
    const description = JSON.parse(asar.extractFile(archive(), 'package.json').toString('utf8'));
    expect(description.desktopName).toBe('shoal-app.desktop');
    expect([StartupWMClass, Icon]).toEqual(['shoal-app', 'shoal-app']);
    for (const size of [16, 32, 48, 128, 256]) {
      const icon = readFileSync(join(folder, share, `icons/hicolor/${size}x${size}/apps/shoal-app.png`));
      expect([icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual([size, size]);
    }
  });

  it('makes the types of scenarios and bundles known', () => {
    const types = readFileSync(join(folder, share, 'mime/packages/shoal-app.xml'), 'utf8');
    expect(types.match(/<mime-type type="[^"]+"/g)).toEqual([
      '<mime-type type="application/vnd.shoal.scenario+json"',
      '<mime-type type="application/vnd.shoal.bundle+zip"',
    ]);
  });
});

it('gives scenarios of a .deb their type by their name', () => {
  const types = readFileSync(join(folder, 'deb/usr/share/mime/packages/shoal-app.xml'), 'utf8');
  expect(types).toContain('<glob pattern="*.shoal.json"/>');
  const words = readFileSync(join(folder, 'deb/words'), 'utf8').split('\n');
  expect(words[words.indexOf('--architecture') + 1]).toBe('amd64');
  expect(words).toContain(`${unpacked}/=/opt/Shoal`);
});
