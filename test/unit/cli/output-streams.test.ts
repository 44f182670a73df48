import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { outliveOutput } from '../../../app/cli/main.ts';

function streams() {
  const said: string[] = [];
  const stdout = Object.assign(new EventEmitter(), { write: () => true });
  const stderr = Object.assign(new EventEmitter(), { write: (text: string) => said.push(text) });
  const ending = Object.assign(new EventEmitter(), { exitCode: undefined as number | undefined });
  outliveOutput(stdout, stderr, ending);
  return { stdout, stderr, ending, said };
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code, syscall: 'write' });
}

it.each(['EPIPE', 'EIO'])('continues, and is no failure, when nobody reads on: %s', (code) => {
  const { stdout, stderr, ending, said } = streams();
  for (const stream of [stdout, stderr]) stream.emit('error', failure(code));
  ending.emit('exit');
  expect(ending.exitCode).toBeUndefined();
  expect(said).toEqual([]);
});

it('says once that the result was lost, and then is a failure, unless it was another one', () => {
  for (const [before, after] of [
    [undefined, 1],
    [0, 1],
    [2, 2],
  ]) {
    const { stdout, ending, said } = streams();
    stdout.emit('error', failure('ENOSPC'));
    stdout.emit('error', failure('ENOSPC'));
    ending.exitCode = before;
    ending.emit('exit');
    expect(ending.exitCode).toBe(after);
    expect(said).toEqual([
      'shoal: the result was lost: standard output: cannot be written: no space is left on the device\n',
    ]);
  }
});
