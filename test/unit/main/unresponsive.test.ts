/** A page that does not answer. */
import { describe, expect, it, vi } from 'vitest';
import { createUnresponsive } from '../../../app/main/recovery.ts';
import { soon } from '../../setup/soon.ts';

function silent() {
  const questions: { signal: AbortSignal; answer: (answer: 'wait' | 'reload') => void }[] = [];
  const end = vi.fn<() => void>();
  const ask = (signal: AbortSignal) =>
    new Promise<'wait' | 'reload'>((answer) => {
      questions.push({ signal, answer });
    });
  return { questions, end, ...createUnresponsive({ ask, end }) };
}

describe('a page that does not answer', () => {
  it('is asked about once, and ended when the person says so', async () => {
    const { questions, end, onUnresponsive } = silent();
    onUnresponsive();
    onUnresponsive();
    expect(questions).toHaveLength(1);
    questions[0].answer('wait');
    await Promise.resolve();
    expect(end).not.toHaveBeenCalled();
    onUnresponsive();
    questions[1].answer('reload');
    await soon(() => expect(end).toHaveBeenCalledOnce());
  });

  it('takes the question back when it answers', async () => {
    const { questions, end, onUnresponsive, onAnswer } = silent();
    onUnresponsive();
    onAnswer();
    expect(questions[0].signal.aborted).toBe(true);
    questions[0].answer('reload');
    await Promise.resolve();
    expect(end).not.toHaveBeenCalled();
    onUnresponsive();
    expect(questions).toHaveLength(2);
  });
});
