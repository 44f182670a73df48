/** Closing the window while changes are unsaved. */
import { describe, expect, it } from 'vitest';
import { createClosing } from '../../../app/main/closing.ts';
import { soon } from '../../setup/soon.ts';

describe('closing', () => {
  it('asks once when there are unsaved changes, and closes only if the person says so', async () => {
    const answers = [false, true];
    let [asked, destroyed, prevented] = [0, 0, 0];
    const closing = createClosing({
      ask: () => Promise.resolve(answers[asked++] ?? false),
      destroy: () => (destroyed += 1),
      quit: () => undefined,
    });
    const event = { preventDefault: () => (prevented += 1) };
    closing.onClose(event);
    expect(prevented).toBe(0);
    closing.setUnsaved(true);
    closing.onClose(event);
    closing.onClose(event);
    expect([asked, prevented]).toEqual([1, 2]);
    await soon(() => {
      closing.onClose(event);
      expect(destroyed).toBe(1);
    });
    expect(asked).toBeGreaterThanOrEqual(2);
  });

  it.each([
    ['continues with quitting when that is what asked', true, true, 1],
    ['does not quit when the person keeps editing', true, false, 0],
    ['does not quit when only the window was to be closed', false, true, 0],
  ])('%s', async (_what, quitting, answer, expected) => {
    let [asked, quits] = [0, 0];
    const closing = createClosing({
      ask: () => {
        asked += 1;
        return Promise.resolve(answer);
      },
      destroy: () => undefined,
      quit: () => (quits += 1),
    });
    closing.setUnsaved(true);
    if (quitting) closing.onQuit();
    closing.onClose({ preventDefault: () => undefined });
    await soon(() => expect(asked).toBe(1));
    await Promise.resolve();
    expect(quits).toBe(expected);
  });
});
