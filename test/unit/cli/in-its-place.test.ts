import { ChildProcess } from 'node:child_process';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { runInItsPlace } from '../../../app/cli/bootstrap/in-its-place.mjs';

const PARENT_IS_SLOW_MILLISECONDS = 300;

afterEach(() => void vi.restoreAllMocks());

/** This process pauses between the start of a program and what comes after it, as on a loaded machine. */
function standStillAfterStart(): void {
  const prototype = ChildProcess.prototype as unknown as { spawn: (options: unknown) => unknown };
  const { spawn } = prototype;
  vi.spyOn(prototype, 'spawn').mockImplementation(function (this: ChildProcess, options) {
    const started = spawn.call(this, options);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PARENT_IS_SLOW_MILLISECONDS);
    return started;
  });
}

describe.runIf(process.platform !== 'win32')('a program in this one’s place', () => {
  it('is handed a signal that comes as soon as it runs', async () => {
    standStillAfterStart();
    const script = 'trap "exit 7" HUP; kill -HUP $PPID; for _ in 1 2 3 4 5 6 7 8 9 10; do sleep 0.1; done';
    expect(await runInItsPlace('/bin/sh', ['-c', script])).toEqual({ code: 7, signal: null, interrupted: true });
  });

  it('ends as a signal ends it, and leaves nobody listening', async () => {
    const listeners = process.listenerCount('SIGINT');
    const ending = await runInItsPlace('/bin/sh', ['-c', 'kill -TERM $$']);
    expect(ending).toEqual({ code: 143, signal: 'SIGTERM', interrupted: false });
    expect(process.listenerCount('SIGINT')).toBe(listeners);
  });

  it('says that it cannot be started, and leaves nobody listening', async () => {
    const listeners = process.listenerCount('SIGINT');
    await expect(runInItsPlace('/nowhere/electron', [])).rejects.toThrow('spawn /nowhere/electron ENOENT');
    expect(process.listenerCount('SIGINT')).toBe(listeners);
  });

  it('has the folder and the environment that it is given', async () => {
    const script = 'test "$PWD" = / && test "$SHOAL_WORD" = word';
    const { code } = await runInItsPlace('/bin/sh', ['-c', script], { cwd: '/', environment: { SHOAL_WORD: 'word' } });
    expect(code).toBe(0);
  });
});
