/** What every kind of network says of itself before a run, against what it does in one. */
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { NO_FILES } from '../../../engine/index.ts';
import { createBuoys, networkDefinition, networkField, NETWORKS } from '../../../engine/networks/index.ts';
import type { Network, NetworkContext } from '../../../engine/networks/index.ts';

const grid = { nx: 16, ny: 12, dx: 2, dy: 3, periodicX: false, periodicY: false };
const basin = { grid, model: { boundary: { x: 'wall', y: 'wall' } } };
/** Three places in the first cycle and one in the second. */
const table = {
  count: 4,
  x: Float64Array.of(0, 10, 20, 30),
  y: Float64Array.of(0, 33, 6, 9),
  time: Float64Array.of(5, 5, 5, 10),
  value: Float64Array.of(1, Number.NaN, 3, 4),
};
/** At least one of each kind, and more if its settings change how it observes. */
const samples = [
  { kind: 'regular' },
  { kind: 'regular', stride: [20, 5], offset: [15, 1] },
  { kind: 'random', count: 9 },
  { kind: 'random', count: 7, redraw: true },
  {
    kind: 'points',
    points: [
      [30, 33],
      [1, 2.5],
    ],
  },
  { kind: 'section', from: [1, 33], to: [30, 0], count: 6 },
  { kind: 'track', start: [3, 4], length: 10, width: 4, spacing: 2 },
  { kind: 'track', heading: -100, speed: 7 },
  { kind: 'drifters', count: 5 },
  { kind: 'drifters', count: 3, fleet: 'others' },
  { kind: 'file', file: 'gauges.csv' },
].map((network) => networkField.parse(network));

/** The settings with one of their places, or list of places, far outside the basin. */
function movedOutside(network: Network): Network[] {
  const shape = NETWORKS.find(({ kind }) => kind === network.kind)?.schema.shape;
  const units = new Map(Object.entries<z.ZodType>(shape ?? {}).map(([key, field]) => [key, field.meta()?.['unit']]));
  return Object.entries(network).flatMap(([key, value]) => {
    if (!Array.isArray(value) || units.get(key) !== 'm') return [];
    const far = value.map((each) => (Array.isArray(each) ? [1e6, 1e6] : 1e6));
    return [{ ...network, [key]: far }];
  });
}

function contextOf(network: Network): NetworkContext {
  const drifting = networkDefinition(network.kind).drifting?.(network);
  const timing = { seed: 3, windowSeconds: 5 };
  const buoys = createBuoys(drifting ? [drifting] : [], grid, timing);
  return { ...timing, grid, buoys, streamName: 'observations.gauges', files: { ...NO_FILES, table: () => table } };
}

it('each kind is among the samples', () => {
  expect(new Set(samples.map(({ kind }) => kind))).toEqual(new Set(NETWORKS.map(({ kind }) => kind)));
});

describe.each(samples.map((network) => [JSON.stringify(network), network] as const))('%s', (_, network) => {
  const definition = networkDefinition(network.kind);
  const sampler = definition.create(network, contextOf(network));
  const cycles = [0, 1, 2, 30].map((cycle) => sampler.positions(cycle));

  it('observes as many places as it said, at most', () => {
    expect(sampler.capacity).toBe(definition.capacity(network, grid) ?? 3);
    expect(Math.max(...cycles.map(({ x }) => x.length))).toBe(sampler.capacity);
  });

  it('observes inside the basin', () => {
    for (const { x, y } of cycles) {
      expect(x).toHaveLength(y.length);
      for (const place of x) expect(place).toBeGreaterThanOrEqual(0);
      for (const place of x) expect(place).toBeLessThanOrEqual(15);
      for (const place of y) expect(place).toBeGreaterThanOrEqual(0);
      for (const place of y) expect(place).toBeLessThanOrEqual(11);
    }
  });

  it('draws places of its own where it says so, and no others', () => {
    const other = definition.create(network, { ...contextOf(network), streamName: 'observations.others' });
    const isOther = JSON.stringify([...other.positions(0).x]) !== JSON.stringify([...cycles[0].x]);
    expect(isOther).toBe(definition.drawsItsOwn ?? false);
  });

  it('keeps its distances, as it says, if its places stay or move as a whole', () => {
    const keeps = sampler.standing !== undefined || sampler.swath !== undefined;
    expect(definition.keepsDistances?.(network) ?? false).toBe(keeps);
  });

  it('has nothing against a basin that it fits in', () => {
    expect(definition.problems?.(network, basin) ?? []).toEqual([]);
  });

  it('refuses places outside the basin', () => {
    const accepted = movedOutside(network).filter((moved) => (definition.problems?.(moved, basin) ?? []).length === 0);
    expect(accepted).toEqual([]);
  });
});

describe('what is proposed', () => {
  const basin = { grid: { nx: 33, ny: 21, dx: 0.7, dy: 1e4 }, model: { boundary: { x: 'periodic', y: 'wall' } } };

  it.each(NETWORKS.filter((definition) => 'proposal' in definition).map(({ kind }) => kind))(
    '%s is a network of the basin',
    (kind) => {
      const definition = networkDefinition(kind);
      const network = networkField.parse({ kind, ...definition.proposal?.(basin) });
      expect(definition.problems?.(network, basin) ?? []).toEqual([]);
    },
  );
});

it('a kind that there is not is refused', () => {
  expect(() => networkDefinition('no-such-kind')).toThrow(/no-such-kind, known are regular/);
});
