/** The library as other programs have it: built, imported by its name in Node and in a page, typed, and documented. */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { serveFolder } from '../setup/serve-folder.ts';
import { hasChromium, launchChromium } from './desktop/chromium.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const EXAMPLES = join(ROOT, 'app', 'library', 'examples');

function node(...args: readonly string[]) {
  const { npm_lifecycle_event: _script, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, env, encoding: 'utf8' });
  return { status, lines: stdout.trim().split('\n'), stderr };
}

/** A program in TypeScript that has an experiment, and a line of its own. */
const program = (line: string): string =>
  `import { createTwinExperiment, openBackend, readScenario } from 'shoal';
  const backend = await openBackend({ name: 'wasm', threads: 1 });
  const experiment = await createTwinExperiment(readScenario({ version: 3, name: 'typed' }), { backend });
  ${line}`;

/** @returns what the compiler says of that program, inside the package, where its own name leads to it */
const compile = (line: string) => {
  const file = join(ROOT, 'out', `typed-${process.pid}.mts`);
  writeFileSync(file, program(line));
  const flags = ['--noEmit', '--strict', '--ignoreConfig'];
  const target = ['--target', 'es2023', '--module', 'nodenext', '--types', 'node'];
  const result = node('node_modules/typescript/bin/tsc', ...flags, ...target, file);
  rmSync(file);
  return result;
};

const task = (name: string) => node('app/cli/bootstrap.mjs', '--task', name);

describe('the library', () => {
  beforeAll(() => {
    const { status, stderr } = task('library');
    if (status !== 0) throw new Error(stderr);
  }, 300_000);

  it('runs a twin experiment, in which each method is better than none', () => {
    const { status, lines } = node(join(EXAMPLES, 'run.mjs'));
    expect(status).toBe(0);
    expect(lines[0]).toBe('cycle\tfree-run\t3dvar\tletkf');
    const [, free, variational, ensemble] = lines.at(-1)?.split('\t').map(Number) ?? [];
    expect(variational).toBeLessThan(free);
    expect(ensemble).toBeLessThan(free);
  });

  it('gives planes and answers', () => {
    const { status, lines } = node(join(EXAMPLES, 'plane.mjs'));
    expect(status).toBe(0);
    expect(lines.at(-1)).toMatch(/^observation \d+ gives most, \d+\.\d\d mm$/);
  });

  it('runs a method of one’s own in sixty lines beside the others', () => {
    const { status, lines } = node(join(EXAMPLES, 'own-method.mjs'));
    expect(status).toBe(0);
    const [, free, own] = /free-run ([\d.]+) m.*serial-ensrf ([\d.]+) m/.exec(lines.at(-1) ?? '') ?? [];
    expect(Number(own)).toBeLessThan(Number(free) / 2);
  });

  it('has types for who writes TypeScript', () => {
    const right = 'const plane: Float32Array = await experiment.plane({ of: "truth", variable: "h" }); plane.fill(0);';
    expect(compile(right)).toMatchObject({ status: 0 });
    expect(compile('const cycle: string = experiment.cycle;').status).not.toBe(0);
  });

  it.runIf(hasChromium)('runs in a worker of a page, on threads', async () => {
    const isolated = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };
    const server = await serveFolder(join(ROOT, 'out', 'library'), '/', isolated);
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      // A document of that origin, whichever it is.
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/index.js`);
      const threads = await page.evaluate(`new Promise((resolve, reject) => {
        const program = "import { openBackend } from '" + location.origin + "/index.js';" +
          'const backend = await openBackend({ threads: 3 }); postMessage(backend.threads);';
        const script = new Blob([program], { type: 'text/javascript' });
        const worker = new Worker(URL.createObjectURL(script), { type: 'module' });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
      })`);
      expect(threads).toBe(3);
    } finally {
      await browser.close();
      server.close();
    }
  });

  it.runIf(hasChromium)('runs in a page', async () => {
    const server = await serveFolder(ROOT, '/');
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on('pageerror', ({ message }) => errors.push(message));
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/app/library/examples/page.html`);
      await page.getByText(/^cycle 20: RMSE [\d.]+ mm$/).waitFor({ timeout: 60_000 });
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
      server.close();
    }
  });

  it('has a reference with words for all that it exports', () => {
    const { status, stderr } = task('docs');
    expect(stderr).not.toMatch(/warning|error/);
    expect(status).toBe(0);
  });
});
