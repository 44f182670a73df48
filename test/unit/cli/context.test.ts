import { CommanderError } from 'commander';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { UsageError, describeFailure } from '../../../app/cli/context.ts';
import {
  BackendError,
  CaseError,
  DivergenceError,
  fromPlainError,
  LimitError,
  ScenarioError,
  toPlainError,
  type Problem,
} from '../../../engine/index.ts';

const diverged = new DivergenceError(
  { kind: 'not-finite', step: 3, member: 0, x: 1, y: 2, variable: 'h', value: NaN },
  'letkf, cycle 4',
);

const problems: readonly Problem[] = [
  {
    file: 'my case.json',
    line: 3,
    column: 7,
    path: ['methods', 1, 'inflation'],
    message: 'found 0, allowed: at least 1',
  },
  { path: [], message: 'the checkpoint is of another scenario' },
];

describe('a failure', () => {
  it('of the input is exit code 2, of a run 1', () => {
    const codes = [
      new ScenarioError([{ path: ['a'], message: 'wrong' }]),
      new CaseError('b'),
      new LimitError('c'),
      new UsageError('d'),
      new BackendError('e'),
      diverged,
      new TypeError('f'),
    ].map((error) => describeFailure(error).exitCode);
    expect(codes).toEqual([2, 2, 2, 2, 1, 1, 1]);
  });

  it('has a line for each problem of a scenario and one line for all else', () => {
    expect(describeFailure(new ScenarioError(problems)).lines).toEqual([
      'my case.json:3:7: methods[1].inflation: found 0, allowed: at least 1',
      'the checkpoint is of another scenario',
    ]);
    expect(describeFailure(new BackendError('kernel x was refused:\n line 1\n')).lines).toEqual([
      'kernel x was refused: line 1',
    ]);
  });

  it('joins what commander says on two lines', () => {
    const error = new CommanderError(1, 'commander.unknownCommand', "error: unknown command 'rn'\n(Did you mean run?)");
    expect(describeFailure(error)).toEqual({ lines: ["unknown command 'rn' (did you mean run?)"], exitCode: 2 });
  });

  it('of the file system names the file', async () => {
    const error: unknown = await readFile('/nowhere/at/all').catch((error: unknown) => error);
    expect(describeFailure(error)).toEqual({
      lines: ['/nowhere/at/all: there is no such file or folder'],
      exitCode: 2,
    });
  });

  it('crosses from a worker with its class and its place', () => {
    const back = fromPlainError(structuredClone(toPlainError(diverged)));
    expect(back).toBeInstanceOf(DivergenceError);
    expect(back.message).toBe(diverged.message);
    expect((back as DivergenceError).divergence).toEqual(diverged.divergence);
    const scenario = fromPlainError(structuredClone(toPlainError(new ScenarioError(problems))));
    expect(scenario).toBeInstanceOf(ScenarioError);
    expect((scenario as ScenarioError).problems).toEqual(problems);
    expect(fromPlainError(toPlainError(new LimitError('l')))).toBeInstanceOf(LimitError);
  });
});
