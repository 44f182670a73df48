/** The glossary: one sentence a term, found in texts, and the same in GLOSSARY.md. */
import { expect, it } from 'vitest';
import { GLOSSARY, glossaryMarkdown, glossedHelp, glossedPieces } from '../../../app/format/glossary.ts';

it.each(GLOSSARY)('defines $term in one sentence', ({ definition }) => {
  expect(definition).toMatch(/^[A-Z].*\.$/);
  expect(definition.slice(0, -1)).not.toContain('. ');
});

it('has each term once', () => {
  expect(new Set(GLOSSARY.map(({ term }) => term.toLowerCase())).size).toBe(GLOSSARY.length);
});

it('explains the first mention of each term, the longer of two', () => {
  expect(glossedPieces('The background error covariance shapes increments; increments are small.')).toEqual([
    { text: 'The ' },
    { text: 'background error covariance', gloss: expect.stringContaining('correlated') },
    { text: ' shapes ' },
    { text: 'increments', gloss: 'The analysis minus the background (xᵃ − xᶠ).' },
    { text: '; increments are small.' },
  ]);
});

it.each(['', 'Waves run along the wall.', 'A paramount 3D-Variation of dismembering.'])(
  'leaves %j as it is',
  (text) => {
    expect(glossedPieces(text).map(({ gloss }) => gloss)).toEqual(text === '' ? [] : [undefined]);
  },
);

it('keeps every letter of a text', () => {
  const text = 'Analyses: the LETKF’s spread (χ²/p near 1) – and 3D-Var.';
  expect(
    glossedPieces(text)
      .map((piece) => piece.text)
      .join(''),
  ).toBe(text);
});

it('adds the definition of a term to the help of a setting', () => {
  expect(glossedHelp('Members', 'How many.')).toBe('How many.\nMembers: One of the states of an ensemble.');
  expect(glossedHelp('Cells along x', 'How many.')).toBe('How many.');
});

// Written by: npx vitest run test/unit/format/glossary.test.ts -u
it('is GLOSSARY.md', async () => {
  await expect(glossaryMarkdown()).toMatchFileSnapshot('../../../GLOSSARY.md');
});
