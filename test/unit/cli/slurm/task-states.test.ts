/** What Slurm says of tasks, in the words of version 22.05. */
import { describe, expect, it } from 'vitest';
import { parseIndices, mergeStates, parseAccounting, parseQueue } from '../../../../app/cli/slurm/client.ts';

describe('indices of an array', () => {
  it('are read with steps, and with how many run at once', () => {
    expect(parseIndices('1-3,7')).toStrictEqual([1, 2, 3, 7]);
    expect(parseIndices('2-8:3,20%4')).toStrictEqual([2, 5, 8, 20]);
  });

  it.each(['', 'x', '1-', '1,,2', '1-5:0', '0-999999999', '1-3...'])('are not %j', (text) => {
    expect(parseIndices(text)).toBeUndefined();
  });
});

describe('the queue', () => {
  it('reports what waits, runs and has ended', () => {
    const text = [
      '11|1|PENDING|Resources',
      '11|2|RUNNING|None',
      '11|3|COMPLETING|None',
      '11|4|COMPLETED|None',
      '11|5|TIMEOUT|TimeLimit',
    ];
    expect(Object.fromEntries(parseQueue(`${text.join('\n')}\n`))).toStrictEqual({
      '11_1': { kind: 'waiting', reason: 'Resources' },
      '11_2': { kind: 'running' },
      '11_3': { kind: 'running' },
      '11_4': { kind: 'complete' },
      '11_5': { kind: 'lost', loss: 'time' },
    });
  });

  it('is passed over where it is no task of an array', () => {
    expect(parseQueue('12|N/A|RUNNING|None\n\nslurm is down\n').size).toBe(0);
  });
});

describe('the accounting', () => {
  it('reports how tasks ended', () => {
    const text = [
      '1_0|COMPLETED|0:0',
      '1_1|FAILED|3:0',
      '1_2|FAILED|0:9',
      '1_3|CANCELLED by 1000|0:0',
      '1_4|OUT_OF_MEMORY|0:125',
      '1_5|NODE_FAIL|1:0',
      '1_6|PREEMPTED|0:0',
    ];
    expect(Object.fromEntries(parseAccounting(text.join('\n')))).toStrictEqual({
      '1_0': { kind: 'complete' },
      '1_1': { kind: 'lost', loss: 'failed', exitCode: 3 },
      '1_2': { kind: 'lost', loss: 'failed', exitCode: 0 },
      '1_3': { kind: 'lost', loss: 'cancelled', exitCode: 0 },
      '1_4': { kind: 'lost', loss: 'memory', exitCode: 0 },
      '1_5': { kind: 'lost', loss: 'node', exitCode: 1 },
      '1_6': { kind: 'lost', loss: 'preempted', exitCode: 0 },
    });
  });

  it('has tasks that never began on one line', () => {
    const states = parseAccounting('11_0|CANCELLED by 0|0:0\n11_[2-6:2,9%1]|CANCELLED by 0|0:0\n');
    expect([...states.keys()]).toStrictEqual(['11_0', '11_2', '11_4', '11_6', '11_9']);
  });
});

describe('the two together', () => {
  it('believe the queue of what has been put back into it', () => {
    const merged = mergeStates(parseQueue('1|2|PENDING|BeginTime'), parseAccounting('1_2|NODE_FAIL|1:0'));
    expect(merged.get('1_2')).toStrictEqual({ kind: 'waiting', reason: 'BeginTime' });
  });

  it('add the exit code that the accounting has', () => {
    const merged = mergeStates(parseQueue('1|2|FAILED|NonZeroExitCode'), parseAccounting('1_2|FAILED|2:0'));
    expect(merged.get('1_2')).toStrictEqual({ kind: 'lost', loss: 'failed', exitCode: 2 });
  });

  it('omit what only the accounting takes for alive', () => {
    const merged = mergeStates(parseQueue(''), parseAccounting('1_1|RUNNING|0:0\n1_2|COMPLETED|0:0'));
    expect([...merged.keys()]).toStrictEqual(['1_2']);
  });
});
