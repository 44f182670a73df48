/** What a message shows of what a user gave: short, on one line, and without anything that a terminal obeys. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LONGEST_SHOWN, legibleLine, quote, shown } from '../../engine/words.ts';

const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const hostile = fc.string({ unit: 'binary', maxLength: 1000 });

describe('a found value', () => {
  it('is shown as it is if nothing is wrong with it', () => {
    expect(shown('scenarios/Küste 潮.json')).toBe('scenarios/Küste 潮.json');
    expect(quote('a "word"')).toBe(String.raw`"a \"word\""`);
  });

  it('shows escape codes, changes of direction and line ends instead of obeying them', () => {
    expect(shown('a\u001B[31mred\n\u202Egnp.exe')).toBe(String.raw`a\u{1b}[31mred\u{a}\u{202e}gnp.exe`);
    expect(quote('\u009B2J\uD800')).toBe(String.raw`"\u{9b}2J\ud800"`);
  });

  it('is cut in its middle, so that both ends identify it', () => {
    const cut = shown(`begin${'x'.repeat(200_000)}end`);
    expect(cut).toMatch(/^beginx+…x+end$/);
    expect(cut).toHaveLength(LONGEST_SHOWN);
  });

  it('is short and visible, whatever it is, and shown twice it is the same', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const short of [shown(text), quote(text).slice(1, -1)]) {
          expect(short.length).toBeLessThanOrEqual(LONGEST_SHOWN);
          expect(short).not.toMatch(HIDDEN);
        }
        expect(shown(shown(text))).toBe(shown(text));
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});

it('a line has no line end and no control, and is bounded', () => {
  expect(legibleLine('kernel x:\r\n  line 1\n')).toBe('kernel x: line 1');
  expect(legibleLine(`\u001B]0;title\u0007${'x'.repeat(100_000)}`)).toMatch(/^\\u\{1b\}\]0;title.{3000,4000}$/);
});
