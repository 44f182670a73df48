/** What happens when a process of the page is gone, against stand-ins of the few Electron calls it uses. */
import { describe, expect, it } from 'vitest';
import { RECOVERED_PAGE } from '../../../app/main/protocol.ts';
import { createRecovery } from '../../../app/main/recovery.ts';

function recovery() {
  const said: string[] = [];
  const loaded: string[] = [];
  let quits = 0;
  let time = 0;
  const parts = createRecovery({
    tell: (message) => {
      said.push(message);
      return Promise.resolve();
    },
    load: (url) => loaded.push(url),
    quit: () => (quits += 1),
    now: () => time,
  });
  return { parts, said, loaded, quits: () => quits, wait: (milliseconds: number) => (time += milliseconds) };
}

describe('a page that is gone', () => {
  const crashed = { reason: 'crashed', exitCode: 5 };

  it('is loaded to continue from its checkpoint, and the user is notified', async () => {
    const { parts, said, loaded } = recovery();
    await parts.rendererGone(crashed);
    expect(loaded).toEqual([RECOVERED_PAGE]);
    expect(said).toEqual(['The run was interrupted']);
  });

  it('is left alone when it went by itself', async () => {
    const { parts, said, loaded } = recovery();
    await parts.rendererGone({ reason: 'clean-exit', exitCode: 0 });
    expect([...loaded, ...said]).toEqual([]);
  });

  it('is not started a fourth time in a minute', async () => {
    const { parts, loaded, quits } = recovery();
    for (let i = 0; i < 4; i++) await parts.rendererGone(crashed);
    expect(loaded).toHaveLength(3);
    expect(quits()).toBe(1);
  });

  it('is started again after a while', async () => {
    const { parts, loaded, quits, wait } = recovery();
    for (let i = 0; i < 6; i++) {
      await parts.rendererGone(crashed);
      wait(31_000);
    }
    expect(loaded).toHaveLength(6);
    expect(quits()).toBe(0);
  });

  it('notifies of a lost graphics process, not of others', () => {
    const { parts, said } = recovery();
    parts.childGone({ type: 'Utility', ...crashed });
    parts.childGone({ type: 'GPU', reason: 'clean-exit', exitCode: 0 });
    expect(said).toEqual([]);
    parts.childGone({ type: 'GPU', ...crashed });
    parts.childGone({ type: 'GPU', ...crashed });
    expect(said).toEqual(['The graphics process was lost']);
  });
});
