import { deflateSync } from 'fflate';
import { assert, nat, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ScenarioError } from '../../../../engine/index.ts';
import { LONGEST_LINK, packLink, unpackLink } from '../../../../app/features/links/link.ts';

function told(link: string): string {
  try {
    unpackLink(link);
  } catch (error) {
    if (error instanceof ScenarioError) return error.problems.map(({ message }) => message).join('\n');
    throw error;
  }
  return '';
}

/** A link around any bytes. */
function linkOf(packed: Uint8Array): string {
  return `#shoal=1.${Buffer.from(packed).toString('base64url')}`;
}

describe('the text of a link', () => {
  it('comes back as it was, in signs that an address takes as they are', () => {
    assert(
      property(string({ unit: 'grapheme', maxLength: 400 }), (text) => {
        const link = packLink(text);
        expect(link).toMatch(/^#shoal=1\.[\w-]+$/);
        expect(unpackLink(link)).toBe(text);
      }),
      { numRuns: 30 },
    );
  });

  it('says of whatever else it is given what is wrong with it, and nothing but that', () => {
    const link = packLink(JSON.stringify({ cycle: 12, words: 'some words, and some words again' }));
    assert(
      property(nat(link.length - 1), string({ unit: 'binary', maxLength: 3 }), nat(4), (at, put, cut) => {
        const changed = link.slice(0, at) + put + link.slice(at + cut);
        // Some changes leave a text that inflates; it is judged by whoever reads it.
        expect(typeof told(changed)).toBe('string');
      }),
      { numRuns: 150 },
    );
    for (const wrong of [
      '#shoal=',
      '#shoal=1',
      '#shoal=1.',
      '#shoal=1.a',
      '#shoal=1.!!!',
      '#shoal=one.abc',
      '#other=1.abc',
    ])
      expect(told(wrong)).toContain('damaged or not whole');
  });

  it('is reported to be damaged where its end is missing, or where it is no deflated text', () => {
    const link = packLink(Array.from({ length: 200 }, (_, index) => `line ${index * 7919}`).join('\n'));
    for (const cut of [1, 3, 100]) expect(told(link.slice(0, -cut))).toContain('damaged or not whole');
    expect(told(linkOf(new Uint8Array([0xff, 0xff, 0xff])))).toContain('damaged or not whole');
  });

  it('of a later version is not guessed at', () => {
    expect(told('#shoal=2.abc')).toContain('found version 2, allowed: 1');
  });

  it('is not even looked at where it is longer than an address may be', () => {
    const link = `#shoal=1.${'A'.repeat(LONGEST_LINK)}`;
    expect(told(link)).toContain(`found ${link.length} characters, allowed: 32768`);
  });

  it('grows no further than to a mebibyte, however well it is packed', () => {
    const bomb = linkOf(deflateSync(new Uint8Array(2 ** 22), { level: 9 }));
    expect(bomb.length).toBeLessThan(LONGEST_LINK);
    expect(told(bomb)).toContain('found more than 1048576 bytes packed in it, allowed: 1048576 (1 MiB)');
    const most = 'x'.repeat(2 ** 20);
    expect(unpackLink(packLink(most))).toHaveLength(2 ** 20);
    expect(told(packLink(`${most}x`))).toContain('1 MiB');
  });

  it('is text', () => {
    expect(told(linkOf(deflateSync(new Uint8Array([0x61, 0xff, 0xfe]))))).toContain('damaged or not whole');
  });
});
