/** What wind, stirring and tide are, before they drive anything. */
import { describe, expect, it } from 'vitest';
import { forcingDefinition, forcingField, type Source } from '../../../engine/forcing/index.ts';
import { randomStream } from '../../../engine/random/stream.ts';

const [NX, NY, D] = [24, 16, 100];
const CELLS = NX * NY;
const WINDOW = 60;
const DEPTH = 2;

interface Place {
  readonly periodic?: boolean;
  readonly bed?: Float64Array;
  readonly first?: number;
  readonly member?: number;
}

function sourceOf(settings: object, { periodic = true, bed, first = 0, member = 0 }: Place = {}): Source {
  const forcing = forcingField.parse(settings);
  const grid = { nx: NX, ny: NY, dx: D, dy: D, periodicX: periodic, periodicY: periodic };
  const water = { grid, bed: bed ?? new Float64Array(CELLS).fill(-DEPTH), gravity: 9.81, window: WINDOW };
  const streamOf = (interval: number) => randomStream(1, 'test', interval, member);
  const source = forcingDefinition(forcing.kind).source?.create(forcing, water, first, streamOf);
  if (!source) throw new RangeError(`${forcing.kind} has no source`);
  return source;
}

const cycle = (number: number) => ({ number, from: number * WINDOW, seconds: WINDOW });
const plane = (rates: Float64Array, variable: number) => rates.slice(variable * CELLS, (variable + 1) * CELLS);

/** A bed whose western half is land. */
const COAST = Float64Array.from({ length: CELLS }, (_, cell) => (cell % NX < NX / 2 ? 1 : -DEPTH));

describe('a wind', () => {
  it('has the stress over the density in the direction that it blows to', () => {
    const rates = sourceOf({ kind: 'wind', stress: 0.5, direction: 30 }).rates(cycle(3));
    expect(plane(rates, 0)).toEqual(new Float64Array(CELLS));
    expect(plane(rates, 1)).toBeClose(new Float64Array(CELLS).fill(5e-4 * Math.cos(Math.PI / 6)), { absolute: 1e-18 });
    expect(plane(rates, 2)).toBeClose(new Float64Array(CELLS).fill(5e-4 * Math.sin(Math.PI / 6)), { absolute: 1e-18 });
  });

  it('blows as a gyre against the middle at both ends, with no sum', () => {
    const along = plane(sourceOf({ kind: 'wind', stress: 0.5, pattern: 'gyre' }).rates(cycle(0)), 1);
    expect(along[0]).toBeLessThan(0);
    expect(along[(NY / 2) * NX]).toBeCloseTo(5e-4 * Math.cos(Math.PI / NY), 12);
    expect(along.reduce((sum, rate) => sum + rate, 0)).toBeCloseTo(0, 15);
  });

  it('has over a whole period no mean', () => {
    const source = sourceOf({ kind: 'wind', stress: 0.5, period: 4 * WINDOW });
    const four = [0, 1, 2, 3].map((number) => source.rates(cycle(number))[CELLS]);
    // The mean of the cosine over the first quarter is 2/π.
    expect(four[0]).toBeCloseTo((5e-4 * 2) / Math.PI, 12);
    expect(four.reduce((sum, rate) => sum + rate, 0)).toBeCloseTo(0, 15);
  });

  it('does not blow over land', () => {
    const along = plane(sourceOf({ kind: 'wind' }, { bed: COAST }).rates(cycle(0)), 1);
    expect(along.map(Number)).toEqual(COAST.map((elevation) => (elevation < 0 ? 1e-4 : 0)));
  });
});

describe('a tide', () => {
  it.each([
    ['west', (i: number) => i === 0],
    ['east', (i: number) => i === NX - 1],
    ['south', (_: number, j: number) => j === 0],
    ['north', (_: number, j: number) => j === NY - 1],
  ] as const)('enters at the %s side alone', (side, isThere) => {
    const rates = sourceOf({ kind: 'tide', side, amplitude: 0.1, period: 2 * WINDOW }, { periodic: false }).rates(
      cycle(0),
    );
    // The mean of the sine over the first half is 2/π.
    const rate = ((0.1 * Math.sqrt(9.81 * DEPTH)) / D) * (2 / Math.PI);
    const expected = Float64Array.from(rates, (_, i) => (i < CELLS && isThere(i % NX, Math.floor(i / NX)) ? rate : 0));
    expect(rates).toBeClose(expected, { absolute: 1e-15 });
  });

  it('takes out as much as it brings', () => {
    const source = sourceOf({ kind: 'tide', period: 3 * WINDOW }, { periodic: false });
    const sum = [0, 1, 2].reduce((all, number) => all + source.rates(cycle(number))[0], 0);
    expect(sum).toBeCloseTo(0, 15);
  });
});

const BAND = { kind: 'stirring', shortest: 600, longest: 1200, power: 1e-5, decorrelation: 120 };

describe('stirring', () => {
  it.each([true, false])('has no divergence, periodic: %s', (periodic) => {
    const rates = sourceOf(BAND, { periodic }).rates(cycle(2));
    const [u, v] = [plane(rates, 1), plane(rates, 2)];
    const largest = Math.max(...u.map(Math.abs));
    expect(largest).toBeGreaterThan(0);
    for (let j = 1; j < NY - 1; j++) {
      for (let i = 1; i < NX - 1; i++) {
        const at = j * NX + i;
        expect(Math.abs(u[at + 1] - u[at - 1] + v[at + NX] - v[at - NX])).toBeLessThan(1e-13 * largest);
      }
    }
  });

  it('feeds water at rest with the power that is stated', () => {
    // Between these cycles, of which the first is three times the memory of exp(−½) a cycle long, energy grows evenly to 1 %.
    const [begin, end, members] = [10, 30, 150];
    let growth = 0;
    for (let member = 0; member < members; member++) {
      const source = sourceOf(BAND, { member });
      const velocity = new Float64Array(2 * CELLS);
      const energy = () => velocity.reduce((sum, speed) => sum + speed ** 2, 0) / (2 * CELLS);
      let before = 0;
      for (let number = 0; number < end; number++) {
        if (number === begin) before = energy();
        const rates = source.rates(cycle(number));
        for (let i = 0; i < 2 * CELLS; i++) velocity[i] += (WINDOW * rates[CELLS + i]) / DEPTH;
      }
      growth += (energy() - before) / ((end - begin) * WINDOW * members);
    }
    // 24 waves and 150 realisations: one standard deviation is √(2/3600), 2.4 %.
    expect(growth / BAND.power).toBeGreaterThan(0.925);
    expect(growth / BAND.power).toBeLessThan(1.075);
  });

  it('forgets itself in the time that is stated', () => {
    let [product, square] = [0, 0];
    for (let member = 0; member < 100; member++) {
      const source = sourceOf(BAND, { member });
      const first = source.rates(cycle(4)).slice();
      const later = source.rates(cycle(6));
      for (let i = CELLS; i < 3 * CELLS; i++) {
        product += first[i] * later[i];
        square += (first[i] ** 2 + later[i] ** 2) / 2;
      }
    }
    // One decorrelation time later; 24 waves in 100 realisations have a standard deviation of 0.02.
    expect(Math.abs(product / square - Math.exp(-1))).toBeLessThan(0.05);
  });

  it.each([120, 0])('is the same in a cycle however a run has come there, decorrelation %d s', (decorrelation) => {
    const band = { ...BAND, decorrelation };
    const straight = sourceOf(band, { first: -5 }).rates(cycle(7)).slice();
    const stepped = sourceOf(band, { first: -5 });
    for (let number = -5; number < 12; number++) stepped.rates(cycle(number));
    expect(stepped.rates(cycle(7))).toEqual(straight);
    expect(sourceOf(band, { first: -5, member: 1 }).rates(cycle(7))).not.toEqual(straight);
  });

  it('acts on water alone, on the deep as on the shallow', () => {
    const rates = sourceOf({ ...BAND, decorrelation: 0 }, { bed: COAST }).rates(cycle(0));
    const isStill = COAST.every((elevation, cell) => elevation < 0 || rates[CELLS + cell] === 0);
    expect(isStill).toBe(true);
    expect(Math.max(...rates)).toBeGreaterThan(0);
  });
});

const BASIN = {
  grid: { nx: NX, ny: NY, dx: D, dy: D },
  model: { kind: 'shallow-water', boundary: { x: 'wall', y: 'periodic' } },
};

function problemsOf(settings: object): string {
  const forcing = forcingField.parse(settings);
  const found = forcingDefinition(forcing.kind).problems?.(forcing, BASIN) ?? [];
  return found.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}

describe('what is wrong with forcing', () => {
  it.each([
    [{ kind: 'tide', side: 'east' }, ''],
    [{ kind: 'tide', side: 'north' }, 'side: found "north" where model.boundary.y is "periodic"'],
    [BAND, ''],
    [{ ...BAND, shortest: 1300 }, 'shortest: found 1300 m, above longest, 1200 m'],
    [{ ...BAND, shortest: 300 }, 'allowed: at least four cells, 400 m'],
    [{ ...BAND, shortest: 1e4, longest: 2e4 }, 'longest: found 0 waves'],
  ])('%j: %s', (settings, message) => {
    expect(problemsOf(settings)).toContain(message);
    expect(problemsOf(settings) === '').toBe(message === '');
  });
});
