/** Folders of cases: read as they were written, and computed again if anything in them was changed. */
import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readCase, takeCase, writeCase } from '../../../../app/cli/sweep/case-folders.ts';
import { gather } from '../../../../app/cli/sweep/execute.ts';
import { createReferenceBackend, runCases, ScenarioError } from '../../../../engine/index.ts';
import type { CaseOutcome, SweepPlan } from '../../../../engine/index.ts';
import { planSmall, REFERENCE } from '../../sweep/small-sweep.ts';

let whole = '';
let folder = '';
let plan: SweepPlan;
let outcome: CaseOutcome;
let warnings: string[] = [];
const warn = (message: string): number => warnings.push(message);

beforeAll(async () => {
  whole = mkdtempSync(join(tmpdir(), 'shoal-cases-'));
  plan = await planSmall({ grid: { 'methods[letkf].inflation': [1.1] } });
  const backend = createReferenceBackend();
  const planned = plan.caseAt(0);
  [outcome] = await runCases(backend, [planned]);
  backend.dispose();
  const date = new Date(0);
  const surroundings = { paths: ['methods[2].inflation'], origin: REFERENCE, start: date, end: date };
  await writeCase(whole, planned, outcome, surroundings);
});
beforeEach(() => {
  warnings = [];
  folder = mkdtempSync(join(tmpdir(), 'shoal-case-'));
  cpSync(whole, folder, { recursive: true });
  return () => rmSync(folder, { recursive: true, force: true });
});
afterAll(() => rmSync(whole, { recursive: true, force: true }));

const inCase = (name: string): string => join(folder, plan.hashes[0], name);

function changeRecord(
  change: (record: { methods: { measures: Record<string, number> }[]; state: string }) => void,
): void {
  const record = JSON.parse(readFileSync(inCase('case.json'), 'utf8')) as Parameters<typeof change>[0];
  change(record);
  writeFileSync(inCase('case.json'), `${JSON.stringify(record, null, 2)}\n`);
}

describe('the folder of a case', () => {
  it('gives what was written, with checksums as sha256sum reads them', async () => {
    const record = await takeCase(folder, plan.hashes[0], plan.methods, warn);
    expect(record?.methods).toEqual(JSON.parse(JSON.stringify(outcome.methods)));
    expect(warnings).toEqual([]);
    expect(readFileSync(inCase('SHA256SUMS'), 'utf8')).toMatch(
      /^[0-9a-f]{64} {2}case\.json\n[0-9a-f]{64} {2}diagnostics\.csv\n$/,
    );
    if (process.platform !== 'linux') return;
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: join(folder, plan.hashes[0]) });
  });

  it.each<[string, () => void, string]>([
    [
      'smaller errors in its record',
      () =>
        changeRecord(({ methods }) => {
          for (const { measures } of methods) for (const name of Object.keys(measures)) measures[name] /= 100;
        }),
      'case.json: its content is not what was written (SHA256SUMS)',
    ],
    ['no methods', () => changeRecord((record) => (record.methods = [])), 'case.json: its content is not'],
    [
      'rows of garbage',
      () => writeFileSync(inCase('diagnostics.csv'), 'garbage'),
      'diagnostics.csv: its content is not',
    ],
    [
      'one byte more in its rows',
      () => appendFileSync(inCase('diagnostics.csv'), '\n'),
      'diagnostics.csv: its content is not',
    ],
    ['no rows', () => rmSync(inCase('diagnostics.csv')), 'diagnostics.csv: found no such file'],
    ['no record', () => rmSync(inCase('case.json')), 'case.json: found no such file'],
    ['a record that was cut off', () => writeFileSync(inCase('case.json'), '{'), 'case.json: its content is not'],
    ['no checksums', () => rmSync(inCase('SHA256SUMS')), 'found no SHA256SUMS: the case is of an earlier version'],
    ['empty checksums', () => writeFileSync(inCase('SHA256SUMS'), ''), 'case.json: its content is not'],
    [
      'a file that is no part of it',
      () => writeFileSync(inCase('notes.txt'), ''),
      'notes.txt: found a file that is no part',
    ],
  ])('with %s is refused, and computed again in its sweep', async (_, damage, message) => {
    damage();
    await expect(readCase(folder, plan.hashes[0])).rejects.toThrow(ScenarioError);
    await expect(readCase(folder, plan.hashes[0])).rejects.toThrow(message);
    const tally = await gather({ warn: (text) => void warn(text) }, plan, { cases: folder }, [0]);
    expect(tally.done).toBe(0);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(message);
    expect(warnings[0]).toMatch(/; this case is computed again$/);
    expect(existsSync(join(folder, plan.hashes[0]))).toBe(false);
  });

  it('with other methods than those of its sweep is computed again', async () => {
    expect(await takeCase(folder, plan.hashes[0], plan.methods.slice(1), warn)).toBeUndefined();
    expect(warnings[0]).toContain('case.json: found the methods');
  });
});
