/** How long a film is, and what is wrong with what was typed. */
import { describe, expect, it } from 'vitest';
import { choiceProblems, filmFrames } from '../../../../app/features/filming/film-choice.ts';

const shown = [0, 1, 2, 5, 8];
const choice = { from: 1, to: 5, size: '1080p', rate: 30, secondsPerCycle: 2 } as const;

describe('the frames of a film', () => {
  it('are those of its ways, and half a second at both ends', () => {
    expect(filmFrames(choice, shown)).toBe(2 * 60 + 30);
    expect(filmFrames({ ...choice, to: 1 }, shown)).toBe(30);
    expect(filmFrames({ ...choice, secondsPerCycle: 0.001 }, shown)).toBe(2 + 30);
  });
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
