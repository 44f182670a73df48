import { describe, expect, it } from 'vitest';
import { chosenFields, FIRST_CHOICE, outlookOf, outlookText } from '../../../../app/features/saving/states-dialog.tsx';
import { fieldsSize } from '../../../../engine/index.ts';
import { scenarioOf } from '../../document/run/fake-run.ts';

const members = { ...FIRST_CHOICE, what: 'members' } as const;

describe('the states that are chosen', () => {
  it('are those of every so many cycles, with the members that are named', () => {
    expect(chosenFields({ ...FIRST_CHOICE, every: '3' }, 4, 10)).toEqual({ fields: { every: 3 } });
    expect(chosenFields(members, 4, 10)).toEqual({ fields: { every: 1, members: [0, 1, 2, 3] } });
    expect(chosenFields({ ...members, members: '3, 0-1' }, 4, 10)).toEqual({
      fields: { every: 1, members: [0, 1, 3] },
    });
  });

  it.each([
    ['', 'found nothing, allowed: whole numbers from 1 to 10'],
    ['0', 'found 0, allowed: whole numbers from 1 to 10'],
    ['11', 'found 11, allowed: whole numbers from 1 to 10'],
    ['1.5', 'found 1.5, allowed: whole numbers from 1 to 10'],
  ])('are refused with what is allowed: every %s', (every, message) => {
    expect(chosenFields({ ...FIRST_CHOICE, every }, 4, 10)).toEqual({ problems: { every: message } });
  });

  it('are refused if there is no such member', () => {
    const allowed = 'allowed: members from 0 to 3 and ranges of them, as 0-1';
    expect(chosenFields({ ...members, members: '2-4' }, 4, 10)).toEqual({
      problems: { members: `found 4, ${allowed}` },
    });
    expect(chosenFields({ ...members, members: 'all' }, 4, 10)).toEqual({
      problems: { members: `found all, ${allowed}` },
    });
  });
});

describe('what they take', () => {
  const scenario = scenarioOf(10);
  const progress = { done: 6, cycles: 10 };
  const room = { kind: 'storage', free: 2 ** 40 } as const;

  it('is that of the cycles that are done, twice where the run can continue with them', () => {
    const { bytes, cycleBytes } = fieldsSize(scenario, { every: 2 }, undefined, 0, 6);
    expect(bytes).toBe(3 * cycleBytes);
    const open = outlookOf(scenario, { every: 2 }, progress, 'browser', room);
    expect(open).toMatchObject({ bytes: 2 * bytes + 2 ** 20, goesOn: true, refusal: undefined, warning: undefined });
    expect(outlookText(open, '3 s')).toMatch(
      /^States of 3 cycles, .* each: about .* as fields\.nc and fields\.bin, .* computed again beside this one for it: about 3 s\.$/,
    );
    expect(outlookOf(scenario, { every: 2 }, { done: 10, cycles: 10 }, 'browser', room).bytes).toBe(
      5 * cycleBytes + 2 ** 20,
    );
  });

  it('is refused, saying what would help, if there is no room for it', () => {
    const full = { kind: 'storage', free: 1000 } as const;
    expect(outlookOf(scenario, { every: 1 }, progress, 'browser', full).refusal).toMatch(
      /need about .* the browser has 1000 B of storage left.*; keep fewer/,
    );
    const none = { kind: 'memory', free: 1000 } as const;
    expect(outlookOf(scenario, { every: 1 }, progress, 'browser', none).refusal).toMatch(
      /keeps no files for a page, and 1000 B of memory are the most; keep fewer/,
    );
  });

  it('is what a .zip has room for, where it becomes one', () => {
    const large = scenarioOf(10, { grid: { nx: 2560, ny: 2560, dx: 10, dy: 10 } });
    const warned = outlookOf(large, { every: 3 }, progress, 'browser', room);
    expect(warned.warning).toBe('A .zip of more than 1 GiB is opened here by its files, once it is unpacked.');
    const refused = outlookOf(large, { every: 1 }, progress, 'browser', room);
    expect(refused.refusal).toMatch(/a \.zip has room for 4 GiB; keep fewer/);
    expect(outlookOf(large, { every: 1 }, progress, 'electron', room)).toMatchObject({ refusal: undefined });
  });
});
