import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listenForInterruption } from '../../../app/cli/run/progress.ts';

beforeEach(() => void vi.useFakeTimers());

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Whether the cycle in progress has to be given up by now. */
async function isOutOfPatience({ outOfPatience }: ReturnType<typeof listenForInterruption>): Promise<boolean> {
  const settled = await Promise.race([outOfPatience, Promise.resolve('not yet')]);
  return settled === 'out-of-patience';
}

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'asks to stop at %s, and gives the cycle up after a while',
  async (signal) => {
    const onRequest = vi.fn<() => void>();
    const interruption = listenForInterruption(onRequest);
    process.emit(signal, signal);
    expect(interruption.requested).toBe(true);
    expect(onRequest).toHaveBeenCalledOnce();
    expect(await isOutOfPatience(interruption)).toBe(false);
    vi.advanceTimersByTime(500);
    expect(await isOutOfPatience(interruption)).toBe(true);
    interruption.dispose();
  },
);

it('gives the cycle up at the second, and what is being written at the third', async () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const interruption = listenForInterruption(() => undefined);
  process.emit('SIGINT', 'SIGINT');
  // One key press may come from the terminal and from a parent process.
  vi.advanceTimersByTime(100);
  process.emit('SIGINT', 'SIGINT');
  expect(await isOutOfPatience(interruption)).toBe(false);
  vi.advanceTimersByTime(350);
  process.emit('SIGINT', 'SIGINT');
  expect(await isOutOfPatience(interruption)).toBe(true);
  expect(exit).not.toHaveBeenCalled();
  vi.advanceTimersByTime(450);
  process.emit('SIGINT', 'SIGINT');
  expect(exit).toHaveBeenCalledExactlyOnceWith(130);
  interruption.dispose();
  expect(process.listenerCount('SIGHUP')).toBe(0);
});
