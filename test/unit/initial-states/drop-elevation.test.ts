/** Drops of water on a grid: drawn where they reach, the same as if drawn everywhere. */
import { describe, expect, it } from 'vitest';
import { dropElevation } from '../../../engine/initial-states/index.ts';
import { randomStream } from '../../../engine/random/stream.ts';

describe.each([
  { name: 'between walls', periodic: false },
  { name: 'on a periodic sea', periodic: true },
])('drops $name', ({ periodic }) => {
  const grid = { nx: 48, ny: 40, dx: 1.5, dy: 1, periodicX: periodic, periodicY: periodic };
  const drop = { count: 1, amplitude: [0.3, 0.3], width: 6, volume: 'added' } as const;
  const bed = new Float64Array(48 * 40).fill(-1);
  const elevation = dropElevation(drop, grid, bed, randomStream(3, 'test'));

  /** The same draws, every cell visited. */
  function everywhere(): Float64Array {
    const stream = randomStream(3, 'test');
    const place = (length: number): number => (periodic ? stream.between(0, length) : stream.between(3, length - 3));
    const lengths = periodic ? [48 * 1.5, 40] : [47 * 1.5, 39];
    const [x, y] = lengths.map(place);
    const nearest = (distance: number, length: number): number =>
      periodic ? distance - length * Math.round(distance / length) : distance;
    return Float64Array.from({ length: 48 * 40 }, (_, cell) => {
      const along = nearest((cell % 48) * 1.5 - x, lengths[0]);
      const across = nearest(Math.floor(cell / 48) - y, lengths[1]);
      return 0.3 * Math.exp((-5 * (along ** 2 + across ** 2)) / 36);
    });
  }

  it('are as high everywhere as their formula says, to 1e-15 m', () => {
    const full = everywhere();
    const worst = Math.max(...elevation.map((value, cell) => Math.abs(value - full[cell])));
    expect(worst).toBeLessThan(1e-15);
    expect(Math.max(...elevation)).toBeGreaterThan(0.2);
  });
});
