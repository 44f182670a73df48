/** How long a film is, and what is wrong with what was typed. */
import { describe, expect, it } from 'vitest';
import { choiceProblems, filmFrames, frameTime, wayFrames } from '../../../../app/features/filming/film-choice.ts';
import type { Transit } from '../../../../app/document/run/history.ts';
import { momentOf } from '../../../../app/stage/passage.ts';

const shown = [0, 1, 2, 5, 8];
const choice = { from: 1, to: 5, size: '1080p', rate: 30, secondsPerCycle: 2 } as const;

describe('the frames of a film', () => {
  it('are those of its ways, and half a second at both ends', () => {
    expect(filmFrames(choice, shown)).toBe(2 * 60 + 30);
    expect(filmFrames({ ...choice, to: 1 }, shown)).toBe(30);
    expect(filmFrames({ ...choice, secondsPerCycle: 0.001 }, shown)).toBe(2 + 30);
  });
});

it.each([24, 25, 30, 60])('a way ends with its last frame, not before it, at %d frames a second', (rate) => {
  const step = frameTime({ rate });
  expect(Math.abs(step - 1000 / rate)).toBeLessThanOrEqual(1 / 2048);
  for (let done = 1; done < 1000; done += 37) {
    const frames = wayFrames({ rate, secondsPerCycle: 0.05 + done / 100 });
    const begun = 123_457 + (done - 1) * step;
    const way = { begun, duration: frames * step, analysis: 0.3 * frames * step, flashes: true } as Transit;
    const legAt = (frame: number): string => momentOf(way, 123_457 + (done - 1 + frame) * step).leg;
    expect(legAt(frames)).toBe('analysis');
    expect(legAt(frames - 1)).not.toBe('analysis');
  }
});

describe('what was typed for a film', () => {
  const typed = { from: '0', to: '8', secondsPerCycle: '2' };

  it('may be right', () => {
    expect(choiceProblems(typed, shown)).toEqual({});
  });

  it.each([
    [{ from: '9' }, { from: 'found 9, allowed: cycles from 0 to 8' }],
    [{ from: '' }, { from: 'found nothing, allowed: cycles from 0 to 8' }],
    [{ from: '5', to: '2' }, { to: 'found 2, allowed: cycles from 5 to 8' }],
    [{ to: '2.5' }, { to: 'found 2.5, allowed: cycles from 0 to 8' }],
    [{ secondsPerCycle: 'x' }, { secondsPerCycle: 'found x, allowed: 0.05 to 20 s' }],
    [{ secondsPerCycle: '' }, { secondsPerCycle: 'found nothing, allowed: 0.05 to 20 s' }],
    [{ secondsPerCycle: '21' }, { secondsPerCycle: 'found 21, allowed: 0.05 to 20 s' }],
  ])('%o is refused with its place', (wrong, problems) => {
    expect(choiceProblems({ ...typed, ...wrong }, shown)).toEqual(problems);
  });
});
