/** `shoal check` as a process: every case holds here, with its evidence as a document and as a page. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { escapeText } from '../../app/report/markup.ts';
import { checkCases } from '../../engine/index.ts';
import type { CheckDocument } from '../../engine/index.ts';

const BOOTSTRAP = new URL('../../app/cli/bootstrap.mjs', import.meta.url).pathname;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shoal-check-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Ending {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** @param listener receives stderr as it comes, with a way to press Ctrl-C */
function shoal(args: readonly string[], heard?: (text: string, interrupt: () => void) => void): Promise<Ending> {
  const { npm_lifecycle_event: _script, ...env } = process.env;
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [BOOTSTRAP, ...args], { cwd: folder, env });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
      heard?.(stderr, () => child.kill('SIGINT'));
    });
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

it('holds on wasm: one document, and a page with every number', async () => {
  const { code, stdout } = await shoal(['check', '--backend', 'wasm', '--json', '--out', 'check.html']);
  const document = JSON.parse(stdout) as CheckDocument;
  expect(document.results.flatMap(({ evidence }) => evidence.filter(({ passed }) => !passed))).toEqual([]);
  expect(code).toBe(0);
  expect(document.passed).toBe(true);
  expect(document.results.map(({ id }) => id)).toEqual((await checkCases()).map(({ id }) => id));
  expect(document.results.every(({ verdict }) => verdict === 'passed')).toBe(true);
  const page = readFileSync(join(folder, 'check.html'), 'utf8');
  for (const { basis, evidence } of document.results) {
    expect(basis.length).toBeGreaterThan(40);
    expect(evidence.length).toBeGreaterThan(0);
    for (const { what } of evidence) expect(page).toContain(escapeText(what));
  }
});

it('stops by Ctrl-C, and does not say that all holds', async () => {
  let pressed = false;
  const { code, stdout } = await shoal(['check', '--backend', 'reference'], (text, interrupt) => {
    if (pressed || !text.includes('backend: reference')) return;
    pressed = true;
    setTimeout(interrupt, 300);
  });
  expect(code).toBe(130);
  expect(stdout).not.toContain('All that was checked holds');
});
