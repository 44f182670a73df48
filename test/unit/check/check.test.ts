/** The self-check itself: that it fails where something is wrong, and says what. That its cases hold is tested as a command. */
import { describe, expect, it } from 'vitest';
import { describeResult, formatCheck } from '../../../app/cli/commands/check.ts';
import { checkPage } from '../../../app/check/page.ts';
import type { CheckCase } from '../../../engine/check/document.ts';
import { furnished } from '../../../engine/check/cases/operators.ts';
import { passes, shareOfBar } from '../../../engine/check/measures.ts';
import {
  checkCases,
  checkDocument,
  createReferenceBackend,
  METHODS,
  runCheck,
  StoppedError,
} from '../../../engine/index.ts';
import type { Backend, CheckDocument, CheckResult, FieldKinds, Operator, Prepared } from '../../../engine/index.ts';
import { backendNamed } from '../../setup/backends.ts';

const turn = (): Promise<void> => Promise.resolve();
const signal = new AbortController().signal;

async function resultsOf(backend: Backend, cases: readonly CheckCase[]): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  const listener = {
    opened: () => undefined,
    begin: () => undefined,
    result: (result: CheckResult) => results.push(result),
  };
  await runCheck(backend, listener, { cases, signal, turn });
  return results;
}

async function caseNamed(id: string): Promise<CheckCase> {
  const found = (await checkCases()).find((each) => each.id === id);
  if (!found) throw new Error(`there is no case ${id}`);
  return found;
}

/** A backend one of whose operators leaves in the first place of a field what belongs into the second. */
function faulty(backend: Backend, operatorName: string, field: string): Backend {
  const spoil = (prepared: Prepared<FieldKinds>): Prepared<FieldKinds> => ({
    run(fields) {
      prepared.run(fields);
      backend.copy(fields[field], fields[field], { sourceOffset: 1, targetOffset: 0, length: 1 });
    },
    dispose: () => prepared.dispose(),
  });
  return new Proxy(backend, {
    get(target, name) {
      if (name === 'prepare') {
        return async (operator: Operator<unknown, FieldKinds>, parameters: unknown) => {
          const prepared = await target.prepare(operator, parameters);
          return operator.name === operatorName ? spoil(prepared) : prepared;
        };
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const fine: CheckCase = {
  id: 'fine',
  title: 'Fine',
  claim: 'One is one.',
  basis: 'By definition <exact>.',
  measure: () => Promise.resolve([{ what: '1 & 1', value: 1, bar: { between: [1, 1] } }]),
};

describe('a check', () => {
  it('finds an operator that is wrong in one number, by its name', async () => {
    const wasm = await backendNamed('wasm').open();
    const [found] = await resultsOf(faulty(wasm, 'inflation', 'ensemble'), [await caseNamed('operators')]);
    wasm.dispose();
    expect(found.verdict).toBe('failed');
    expect(found.evidence.filter(({ passed }) => !passed).map(({ what }) => what.split(',')[0])).toEqual(['inflation']);
    const compared = found.evidence.map(({ what }) => what.split(',')[0]);
    for (const name of ['block-mean', 'schur-product', 'weight-interpolation', 'inflation-estimate', 'water-budgets']) {
      expect(compared).toContain(name);
    }
  });

  it('compares the operators of a run with every method that there is', () => {
    const kinds = METHODS.map(({ schema }) => schema.shape.kind.value);
    expect(new Set(furnished.methods?.map(({ kind }) => kind))).toEqual(new Set(kinds));
  });

  it('takes a case that breaks down, or measures nothing, for one that failed', async () => {
    const broken: CheckCase = { ...fine, measure: () => Promise.reject(new Error('no water')) };
    const empty: CheckCase = { ...fine, measure: () => Promise.resolve([]) };
    const backend = createReferenceBackend();
    const [first, second, third, none] = await resultsOf(backend, [broken, empty, fine, await caseNamed('operators')]);
    backend.dispose();
    expect(first).toMatchObject({ verdict: 'failed', reason: 'no water' });
    expect(second.verdict).toBe('failed');
    expect(third.verdict).toBe('passed');
    expect(none).toMatchObject({ verdict: 'not-applicable', reason: 'this backend is the reference' });
  });

  it('is given up between two cases', async () => {
    const stopping = new AbortController();
    const heard: string[] = [];
    const listener = {
      opened: () => undefined,
      begin: (title: string) => heard.push(title),
      result: () => stopping.abort(),
    };
    const backend = createReferenceBackend();
    const checking = runCheck(backend, listener, { cases: [fine, fine], signal: stopping.signal, turn });
    await expect(checking).rejects.toThrow(StoppedError);
    backend.dispose();
    expect(heard).toEqual(['Fine']);
  });
});

describe('a bar', () => {
  it('is passed by what it allows, never by NaN', () => {
    expect(passes({ what: '', value: 2, bar: { atMost: 2 } })).toBe(true);
    expect(passes({ what: '', value: 2.1, bar: { between: [1, 2] } })).toBe(false);
    for (const bar of [{ atMost: 1 }, { atLeast: 1 }, { between: [0, 1] as const }]) {
      expect(passes({ what: '', value: NaN, bar })).toBe(false);
      expect(shareOfBar({ what: '', value: NaN, bar })).toBe(Infinity);
    }
    expect(shareOfBar({ what: '', value: 3, bar: { atLeast: 1.5 } })).toBe(0.5);
    expect(shareOfBar({ what: '', value: 1.75, bar: { between: [1, 2] } })).toBe(0.5);
  });
});

describe('the table', () => {
  it('shows of each case the number that is nearest to its bar, and a guard only where it fails', async () => {
    const backend = createReferenceBackend();
    const guarded: CheckCase = {
      ...fine,
      measure: () =>
        Promise.resolve([
          { what: 'far', value: 1, bar: { atMost: 4 } },
          { what: 'near', value: 3, bar: { atMost: 4 } },
          { what: 'power', value: 1, bar: { atLeast: 1 }, guard: true },
        ]),
    };
    const [result] = await resultsOf(backend, [guarded]);
    backend.dispose();
    const table = formatCheck([result]);
    expect(table).toMatch(/✓ │ Fine +│ +3 │ near +│ +3 │ ≤ 4/);
    expect(describeResult(result)).toEqual([
      '✓ Fine',
      '  One is one.',
      '  ✓ far: 1, bar ≤ 4',
      '  ✓ near: 3, bar ≤ 4',
      '  ✓ power: 1, bar ≥ 1',
      '  bars: By definition <exact>.',
    ]);
  });
});

describe('the page', () => {
  const provenance = {
    date: '2026-01-02T03:04:05.000Z',
    versions: { shoal: '0.1.0' },
    machine: { processor: '<b>fast</b>' },
    backend: { name: 'wasm', adapter: 'WebAssembly SIMD', precision: 'float32', threads: 2 },
    cases: 2,
  } as const;
  async function documentOf(cases: readonly CheckCase[]): Promise<CheckDocument> {
    const backend = createReferenceBackend();
    const results = await resultsOf(backend, cases);
    backend.dispose();
    return checkDocument(provenance, results);
  }

  it('is one file without script or network, in which words are no more than words', async () => {
    const page = checkPage(await documentOf([fine, fine]));
    expect(page).not.toMatch(/<script|https?:|[^-]src=|<link|@import|url\(/i);
    expect(page).toContain('&lt;b&gt;fast&lt;/b&gt;');
    expect(page).toContain('1 &amp; 1');
    expect(page).toContain('By definition &lt;exact&gt;.');
    expect(page).toContain('All checks passed on wasm');
  });

  it('does not say that all holds where cases are missing, or one fails', async () => {
    const partial = await documentOf([fine]);
    expect(partial.passed).toBe(false);
    expect(checkPage(partial)).toContain('Stopped after 1 of 2 checks');
    const wrong: CheckCase = {
      ...fine,
      measure: () => Promise.resolve([{ what: 'far', value: NaN, bar: { atMost: 1 } }]),
    };
    const failed = await documentOf([fine, wrong]);
    expect(failed.passed).toBe(false);
    expect(checkPage(failed)).toContain('1 of 2 checks fail on wasm');
  });
});
