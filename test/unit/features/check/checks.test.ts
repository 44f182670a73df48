/** The page's side of the self-check: what it shows while a worker checks, when it is cancelled, and when the worker breaks down. */
import { expect, it } from 'vitest';
import { createChecks } from '../../../../app/features/check/index.tsx';
import { serveCalls } from '../../../../engine/index.ts';
import type { CheckResult, ServicePort } from '../../../../engine/index.ts';
import type { CheckCommands, CheckEvent } from '../../../../app/services/check.ts';
import { wires } from '../../workers/wires.ts';
import { soon } from '../../../setup/soon.ts';

const result = (title: string, verdict: CheckResult['verdict']): CheckResult => ({
  id: title,
  title,
  verdict,
  claim: 'It holds.',
  basis: 'By definition.',
  seconds: 0.1,
  evidence: [{ what: 'one', value: 1, bar: { atMost: 1 }, passed: verdict === 'passed' }],
});
const backend = { name: 'wasm', adapter: 'SIMD', precision: 'float32', threads: 2 } as const;

/** A worker that says this of two cases, and then ends as given. */
function worker(events: readonly CheckEvent[], end: () => Promise<void>): ServicePort<CheckCommands, CheckEvent> {
  const { page, worker: host } = wires<CheckCommands, CheckEvent>();
  const tell = serveCalls<CheckCommands, CheckEvent>(host, {
    async check() {
      for (const event of events) tell(event);
      await end();
    },
  });
  return page;
}

const opened: CheckEvent = { type: 'opened', backend, cases: 2 };
const first: CheckEvent = { type: 'result', result: result('first', 'passed') };
const second: CheckEvent = { type: 'result', result: result('second', 'passed') };

it('shows what has been found, and that all holds once every case has come', async () => {
  const checks = createChecks(() => worker([opened, first, second], () => Promise.resolve()));
  await checks.check('wasm');
  expect(checks.checking.value).toBeUndefined();
  expect(checks.document.value).toMatchObject({ passed: true, cases: 2, backend });
  expect(checks.document.value?.results.map(({ title }) => title)).toEqual(['first', 'second']);
});

it('keeps what was found when it is cancelled, and does not say that all holds', async () => {
  const checks = createChecks(() => worker([opened, first], () => new Promise(() => undefined)));
  const checking = checks.check('wasm');
  await soon(() => expect(checks.checking.value).toMatchObject({ done: 1, total: 2 }));
  checks.cancel();
  await checking;
  expect(checks.failure.value).toBeUndefined();
  expect(checks.document.value).toMatchObject({ passed: false, cases: 2 });
});

it('reports why a worker broke down', async () => {
  const checks = createChecks(() => worker([opened], () => Promise.reject(new Error('the device was lost'))));
  await checks.check('wasm');
  expect(checks.failure.value).toBe('the device was lost');
  expect(checks.checking.value).toBeUndefined();
});
