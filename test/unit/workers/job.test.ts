/** The protocol between the page and a worker that does one piece of work. */
import { describe, expect, it } from 'vitest';
import { memoryOf, runJob, serveJob } from '../../../app/workers/job.ts';
import { ScenarioError } from '../../../engine/index.ts';
import { wires } from './wires.ts';

const given = (value: unknown) => ({ value, transfer: [] });

describe('a piece of work', () => {
  it('gives what it makes, and its worker ends', async () => {
    const { page, worker, isTerminated } = wires();
    serveJob(worker, async (input) => given(2 * Number(input)));
    expect(await runJob(page, given(21))).toBe(42);
    expect(isTerminated()).toBe(true);
  });

  it('fails as it failed: problems of a scenario stay apart', async () => {
    const broken = wires();
    const problems = [
      { file: 'a.json', line: 2, column: 1, path: ['grid', 'nx'], message: 'first' },
      { path: [], message: 'second' },
    ];
    serveJob(broken.worker, () => Promise.reject(new ScenarioError(problems)));
    const failure: unknown = await runJob(broken.page, given(0)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ScenarioError);
    expect((failure as ScenarioError).problems).toEqual(problems);
    const other = wires();
    serveJob(other.worker, () => Promise.reject(new RangeError('too large')));
    await expect(runJob(other.page, given(0))).rejects.toThrow('too large');
  });

  it('fails when its worker breaks down', async () => {
    const { page, breakDown, isTerminated } = wires();
    const work = runJob(page, given(0));
    breakDown('out of memory');
    await expect(work).rejects.toThrow('the worker broke down: out of memory');
    expect(isTerminated()).toBe(true);
  });

  it('asks the page, several things at once, and hears why there is no answer', async () => {
    const { page, worker } = wires();
    serveJob(worker, async (_input, ask) => {
      const refused = ask('refused').catch((error: Error) => error.message);
      return given(await Promise.all([ask('a'), refused, ask('b')]));
    });
    const answers = await runJob(page, given(0), async (about) => {
      if (about === 'refused') throw new Error('may not be read');
      return given(`answer to ${String(about)}`);
    });
    expect(answers).toEqual(['answer to a', 'may not be read', 'answer to b']);
  });

  it('that asks without being answered fails', async () => {
    const { page, worker } = wires();
    serveJob(worker, async (_input, ask) => given(await ask('anything')));
    await expect(runJob(page, given(0))).rejects.toThrow('asks for nothing');
  });
});

it('memory is given away once, and shared memory not at all', () => {
  const buffer = new ArrayBuffer(8);
  const shared = new Uint8Array(new SharedArrayBuffer(8));
  expect(memoryOf([new Uint8Array(buffer), new Uint8Array(buffer, 4), shared])).toEqual([buffer]);
});
