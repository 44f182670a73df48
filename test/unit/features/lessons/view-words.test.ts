/** The words that links and lessons have for what is on screen are those of the screen. */
import { expect, it } from 'vitest';
import { EVIDENCE_PARTS, VIEW_FIELDS } from '../../../../engine/index.ts';
import { EVIDENCE_TABS } from '../../../../app/page/overlays.ts';
import { FIELDS } from '../../../../app/fields/fields.ts';

it('names every field of the stage', () => {
  expect([...VIEW_FIELDS]).toStrictEqual(FIELDS.map(({ id }) => id));
});

it('names every part of the evidence', () => {
  expect([...EVIDENCE_PARTS].sort()).toStrictEqual(EVIDENCE_TABS.map(({ id }) => id).sort());
});
