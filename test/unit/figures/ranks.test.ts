import { describe, expect, it } from 'vitest';
import { summariseRanks } from '../../../engine/index.ts';
import { RANKS, stepsOf } from '../../../app/figures/ranks.ts';
import { reportedRun, shownRun, STYLES } from './shown-run.ts';

/** Over an axis on which 10 are expected of each rank. */
function stepsOver(ranks: number, counts: readonly number[]) {
  return stepsOf({ counts, summary: summariseRanks(counts) }, ranks, 10);
}

describe('a rank histogram with another run', () => {
  const ranks = 4;

  it('has the steps over the same axis, whatever the number of members', () => {
    for (const counts of [
      [30, 0],
      [3, 0, 0, 0, 0, 0, 0, 3],
    ]) {
      const steps = stepsOver(ranks, counts);
      expect(steps).toHaveLength(counts.length);
      expect(steps[0].from).toBe(-0.5);
      expect(steps.at(-1)?.to).toBe(ranks - 0.5);
    }
  });

  it('has counts as multiples of what is expected of them', () => {
    // All ranks in one of two are twice what is expected of it; the ends of eight have four times as much each.
    expect(stepsOver(ranks, [30, 0])[0].y).toBe(20);
    expect(stepsOver(ranks, [3, 0, 0, 0, 0, 0, 0, 3])[7].y).toBe(40);
  });
});

describe('rank histograms', () => {
  it('have a panel for each method with an ensemble, with its counts and a verdict', () => {
    const data = RANKS.inWindow?.(shownRun({}, { '3dvar': { rankHistogram: { h: [3, 4] } } }));
    expect(data?.title).toBe('Rank histogram of h, cycles 0 to 2');
    expect(data?.panels.map((panel) => panel.kind === 'bars' && panel.name)).toEqual([
      STYLES[0].title,
      STYLES[2].title,
    ]);
    const [panel] = data?.panels ?? [];
    if (panel?.kind !== 'bars') throw new Error('there are no bars');
    expect(panel.bars.map(({ y }) => y)).toEqual([9, 3, 12]);
    expect(panel.bars[0].title).toBe('Rank 0: 9, expected 8');
    expect(panel.level).toBe(8);
  });

  it('lie beneath the outlines of overlaid runs, drawn back unless pointed at', () => {
    const run = shownRun();
    const other = { ...run, id: 'a', title: 'run a', dash: '3 3', diverged: new Map(), cells: undefined };
    const shown = { ...run.shown, overlaid: [other], highlightedRun: 'b' };
    const [panel] = RANKS.inWindow?.({ ...run, shown })?.panels ?? [];
    expect(panel).toMatchObject({ outlines: [{ key: 'a', title: 'run a', dash: '3 3', faded: true }] });
    expect(panel.summary).toContain('run a: the same.');
  });

  it('are of each variable and method in a report', () => {
    const drawn = RANKS.inReport?.(reportedRun(shownRun())) ?? [];
    expect(drawn.map(({ title }) => title)).toEqual(STYLES.map(({ title }) => `${title}, h`));
  });
});
