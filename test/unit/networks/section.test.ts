import { describe, expect, it } from 'vitest';
import { NO_FILES } from '../../../engine/index.ts';
import { createBuoys } from '../../../engine/networks/index.ts';
import { section } from '../../../engine/networks/stationary.ts';
import { problemsWith } from '../scenario/problems-of.ts';

const grid = { nx: 16, ny: 12, dx: 2, dy: 3, periodicX: false, periodicY: false };
const context = {
  grid,
  windowSeconds: 1,
  seed: 1,
  streamName: 'observations.mooring',
  files: NO_FILES,
  buoys: createBuoys([], grid, { seed: 1, windowSeconds: 1 }),
};

/** The problems of a scenario of 16 × 12 cells of 2 × 3 m that has the section. */
function problemsOf(network: { from: [number, number]; to: [number, number]; count?: number }): readonly string[] {
  return problemsWith({ observations: [{ network: { kind: 'section', ...network } }] });
}

describe('a section', () => {
  it('has its gauges at equal distances, both ends among them, in every analysis', () => {
    const sampler = section.create(
      section.schema.parse({ kind: 'section', from: [2, 30], to: [26, 3], count: 4 }),
      context,
    );
    const { x, y } = sampler.positions(0);
    expect(sampler.positions(7)).toEqual(sampler.positions(0));
    // Metres: x 2, 10, 18, 26 and y 30, 21, 12, 3. Two roundings of numbers up to 13 cells.
    expect(x).toBeClose([1, 5, 9, 13], { absolute: 4e-15 });
    expect(y).toBeClose([10, 7, 4, 1], { absolute: 4e-15 });
    expect([x[0], y[0], x[3], y[3]]).toEqual([1, 10, 13, 1]);
  });

  it('begins and ends in the basin, at two places', () => {
    expect(problemsOf({ from: [0, 0], to: [30, 33] })).toEqual([]);
    expect(problemsOf({ from: [-1, 0], to: [30, 34] })).toEqual([
      'observations[0].network.from: found [-1, 0], which lies outside the basin; allowed: x from 0 to 30 and y from 0 to 33 (m)',
      'observations[0].network.to: found [30, 34], which lies outside the basin; allowed: x from 0 to 30 and y from 0 to 33 (m)',
    ]);
    expect(problemsOf({ from: [4, 5], to: [4, 5] })).toEqual([
      'observations[0].network.to: found [4, 5], which is where the section begins; allowed: another place',
    ]);
  });

  it('has two gauges or more', () => {
    expect(problemsOf({ from: [0, 0], to: [30, 33], count: 1 })).toEqual([
      'observations[0].network.count: found 1, allowed: a whole number from 2 to 65536',
    ]);
  });
});
