import { describe, expect, it } from 'vitest';
import { EVIDENCE_FIGURES, REPORT_FIGURES } from '../../../app/figures/registry.ts';
import { reportedRun, shownRun } from './shown-run.ts';

const SHOWN = Object.values(EVIDENCE_FIGURES).flat();
const REPORTED = Object.values(REPORT_FIGURES).flatMap(({ figures }) => figures);

describe('the registry', () => {
  it('has each figure of the palette once, with words that find it', () => {
    const named = SHOWN.filter(({ name }) => name !== undefined);
    expect(new Set(named.map(({ id }) => id)).size).toBe(named.length);
    expect(named.filter(({ words }) => !words)).toEqual([]);
  });

  it.each(SHOWN.filter(({ inWindow }) => inWindow))('draws $id, or says how it comes', ({ inWindow }) => {
    for (const run of [shownRun(), shownRun({ diagnostics: new Map(), variables: [] })]) {
      const data = inWindow?.(run);
      if (!data) continue;
      expect(data.title).not.toBe('');
      expect(data.empty ?? data.panels.map(({ summary }) => summary).join('')).toMatch(/\w{3}/);
      for (const { summary } of data.panels) expect(summary).toMatch(/\.$/);
    }
  });

  it('has in reports what the window has as well, each figure with one panel and its words', () => {
    for (const figure of REPORTED) {
      expect(SHOWN).toContain(figure);
      for (const { help, panels } of figure.inReport?.(reportedRun(shownRun())) ?? []) {
        expect(panels).toHaveLength(1);
        expect(help).not.toBe('');
      }
    }
  });
});
