/**
 * The packaged application: `npm run package` with a real runtime, unpacked as an installer would unpack it, and started. It runs
 * its sealed archive and nothing else, and no debugger attaches to its main process, so it is looked at through Chromium's own port.
 */
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { laboratoryOf, PATIENCE, smallScenario } from '../e2e/desktop/laboratory.ts';
import type { Laboratory } from '../e2e/desktop/laboratory.ts';
import { countColours } from '../e2e/desktop/picture.ts';
import {
  asUser,
  environmentOf,
  hand,
  hasElectron,
  makeFolder,
  makeOwnFolder,
  removeFolder,
  removeScreen,
  ROOT,
  runtime,
} from './host.ts';

const require = createRequire(import.meta.url);
const { getCurrentFuseWire, FuseV1Options }: typeof import('@electron/fuses') = require('@electron/fuses');
/** A fuse of the wire that is on. */
const ON = '1'.codePointAt(0);

/** Megabytes of the archive at most: main process, bridge and page. */
const LARGEST_ARCHIVE = 14;

function bytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

describe.runIf(hasElectron)('the packaged application', () => {
  let folder = '';
  let unpacked = '';
  let program = '';
  let started: ChildProcess | undefined;

  /** The runtime as Electron delivers it, without an application. */
  function bareRuntime(): string {
    const bare = join(folder, 'runtime');
    const from = dirname(runtime().executable);
    // Links where they can be: it is only read.
    if (spawnSync('cp', ['-al', from, bare]).status !== 0) spawnSync('cp', ['-a', from, bare]);
    for (const name of ['app', 'default_app.asar'])
      rmSync(join(bare, 'resources', name), { recursive: true, force: true });
    return bare;
  }

  beforeAll(() => {
    folder = makeFolder();
    const words = [
      join(ROOT, 'app/cli/bootstrap.mjs'),
      '--task',
      'package',
      '--linux',
      'dir',
      '--x64',
      `--config.electronDist=${bareRuntime()}`,
      `--config.electronVersion=${runtime().version}`,
      `--config.directories.output=${join(folder, 'dist')}`,
    ];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8' });
    if (status !== 0) throw new Error(`packaging failed:\n${stdout}\n${stderr}`);
    unpacked = join(folder, 'dist', 'linux-unpacked');
    chmodSync(join(folder, 'dist'), 0o755);
    // As an installed package has it.
    chmodSync(join(unpacked, 'chrome-sandbox'), 0o4755);
    makeOwnFolder(join(folder, 'home'));
    for (const name of ['config', 'config/shoal']) makeOwnFolder(join(folder, 'home', name));
    writeFileSync(join(folder, 'home/config/shoal/graphics.json'), '{"webgpu":"decline"}\n');
    program = asUser(join(unpacked, 'shoal-app'), folder);
  });
  afterEach(async () => {
    const child = started;
    started = undefined;
    if (child?.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'close');
  });
  afterAll(async () => {
    await removeScreen();
    removeFolder(folder);
  });

  /** Starts it. @returns what it prints on its error stream, up to a line of that form or its end */
  async function start(words: readonly string[], until: RegExp, more: Record<string, string> = {}): Promise<string> {
    const environment = { ...(await environmentOf(join(folder, 'home'))), ...more };
    const child = spawn(program, words, { env: environment, stdio: ['ignore', 'ignore', 'pipe'] });
    started = child;
    let printed = '';
    for await (const text of child.stderr.setEncoding('utf8')) {
      printed += text as string;
      if (until.test(printed)) break;
    }
    return printed;
  }

  /** Starts it and finds its page. */
  async function open(): Promise<Laboratory> {
    const printed = await start(['--remote-debugging-port=0'], /DevTools listening on (ws:\S+)/);
    const [, address] = /DevTools listening on (ws:\S+)/.exec(printed) ?? [];
    if (address === undefined) throw new Error(`it did not start:\n${printed}`);
    const browser = await chromium.connectOverCDP(address);
    const pages = () => browser.contexts().flatMap((context) => context.pages());
    await expect.poll(() => pages().map((page) => page.url()), { timeout: PATIENCE }).toEqual(['app://shoal/']);
    return laboratoryOf(pages()[0]);
  }

  it('has its fuses blown, and an archive of its own', async () => {
    const wire = await getCurrentFuseWire(join(unpacked, 'shoal-app'));
    const isOn = (option: keyof typeof FuseV1Options): boolean => Number(wire[FuseV1Options[option]]) === ON;
    expect({
      asNode: isOn('RunAsNode'),
      cookies: isOn('EnableCookieEncryption'),
      options: isOn('EnableNodeOptionsEnvironmentVariable'),
      inspect: isOn('EnableNodeCliInspectArguments'),
      integrity: isOn('EnableEmbeddedAsarIntegrityValidation'),
      onlyArchive: isOn('OnlyLoadAppFromAsar'),
      fileProtocol: isOn('GrantFileProtocolExtraPrivileges'),
    }).toEqual({
      asNode: false,
      cookies: true,
      options: false,
      inspect: false,
      integrity: true,
      onlyArchive: true,
      fileProtocol: false,
    });
    expect(readdirSync(join(unpacked, 'resources')).filter((name) => name.startsWith('app'))).toEqual(['app.asar']);
    const archive = statSync(join(unpacked, 'resources', 'app.asar')).size;
    process.stderr.write(
      `the packaged application: ${Math.round(bytesIn(unpacked) / 1e6)} MB, its archive ${(archive / 1e6).toFixed(1)} MB\n`,
    );
    expect(archive / 1e6).toBeLessThan(LARGEST_ARCHIVE);
  });

  it('shows its first view, and then the file of `shoal-app FILE`', async () => {
    const laboratory = await open();
    await laboratory.reach(1);
    await laboratory.pause();
    expect(await laboratory.title()).toBe('One stone, nine gauges');
    const water = await laboratory.water();
    expect(water.size).toBe(4);
    expect(Math.min(...[...water.values()].map(countColours))).toBeGreaterThan(12);

    const path = join(folder, 'given.json');
    writeFileSync(path, JSON.stringify(smallScenario('packaged', 20)));
    const again = spawn(program, [hand(path)], { env: await environmentOf(join(folder, 'home')), stdio: 'ignore' });
    expect(await once(again, 'exit')).toEqual([0, null]);
    await expect.poll(() => laboratory.title(), { timeout: PATIENCE }).toBe('Small basin packaged');
  });

  it('is no Node, lets no debugger attach, and runs no other application than its archive', async () => {
    const asNode = await start(['-e', 'console.error("it is Node")', '--remote-debugging-port=0'], /DevTools|is Node/, {
      ELECTRON_RUN_AS_NODE: '1',
      NODE_OPTIONS: '--inspect=0',
    });
    expect(asNode).toContain('DevTools listening');
    expect(asNode).not.toMatch(/it is Node|Debugger listening/);
    started?.kill('SIGKILL');
    const inspected = await start(['--inspect=0', '--remote-debugging-port=0'], /DevTools|Debugger/);
    expect(inspected).not.toContain('Debugger listening');
    started?.kill('SIGKILL');
    const resources = join(unpacked, 'resources');
    renameSync(join(resources, 'app.asar'), join(folder, 'app.asar'));
    try {
      mkdirSync(join(resources, 'app'));
      writeFileSync(join(resources, 'app', 'package.json'), '{ "main": "other.js" }');
      writeFileSync(join(resources, 'app', 'other.js'), 'console.error("another application"); process.exit(0);');
      expect(await start([], /another application/)).not.toContain('another application');
    } finally {
      renameSync(join(folder, 'app.asar'), join(resources, 'app.asar'));
    }
    expect(readFileSync(join(resources, 'app', 'other.js'), 'utf8')).toContain('another');
  });
});
