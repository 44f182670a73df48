import { describe, expect, it } from 'vitest';
import { consistencyOf, SCENARIO_VERSION, validateScenario } from '../../../engine/index.ts';
import type { ConsistencyFigure, ConsistencyMeasures, CycleDiagnostics } from '../../../engine/index.ts';
import { diagnosticsRow } from '../../setup/diagnostics-row.ts';

const { scenario } = validateScenario(
  {
    version: SCENARIO_VERSION,
    name: 'consistency',
    grid: { nx: 16, ny: 16 },
    background: { members: 2 },
    observations: [{ network: { kind: 'regular', stride: [4, 4] } }],
    methods: [{ kind: 'free-run' }, { kind: '3dvar' }, { kind: 'letkf' }],
    experiment: { cycles: 40, window: 1, spinup: 2 },
  },
  'consistency.json',
);

const budget = { mass: 100, energy: 2, potentialEnstrophy: 1, tendency: 0.1, ageostrophicShare: 0.2 };

/** Two members: the truth is below them in a fifth of the cells, above in a fifth, and in the middle of a gap of 1 elsewhere. */
const measures: ConsistencyMeasures = {
  departures: {
    h: {
      count: 10,
      innovation: 1.5,
      residual: 1,
      increment: 0.5,
      incrementResidual: 0.25,
      signal: 0.25,
      backgroundVariance: 0.5,
      analysisVariance: 0.25,
    },
  },
  sampled: {
    h: {
      alpha: [0, 0.3, 0.1],
      beta: [0.1, 0.3, 0],
      below: 0.2,
      above: 0.2,
      uncertainty: 0.5,
      share: [0.5, 0.5],
      variance: [0.1, 0.3],
      squaredError: [0.1, 0.3],
    },
  },
  spectra: {
    forecastError: [2, 2, 1, 1],
    analysisError: [1, 1, 1, 0.5],
    increment: [1, 1, 0, 0.5],
    forecastSpread: [2, 2, 4, 4],
  },
  budgets: { truth: budget, forecast: budget, analysis: { ...budget, tendency: 0.2, ageostrophicShare: 0.3 } },
};

function rowsOf(method: string, of: (cycle: number) => ConsistencyMeasures | undefined): CycleDiagnostics[] {
  return Array.from({ length: 40 }, (_, cycle) => {
    const consistency = of(cycle);
    return { ...diagnosticsRow(method, cycle, { h: 0.1, hu: 0.1 }), ...(consistency && { consistency }) };
  });
}

function figuresOf(rows: readonly CycleDiagnostics[], label: string): ReadonlyMap<string, ConsistencyFigure> {
  const found = consistencyOf(rows, scenario).find((each) => each.label === label);
  return new Map(found?.figures.map((figure) => [figure.key, figure]));
}

/** ⟨dᵃ dᵇ⟩ over R of 1.3 on average, two cycles above it and two below. */
const varying = (amplitude: number) =>
  figuresOf(
    rowsOf('letkf', (cycle) => ({
      ...measures,
      departures: { h: { ...measures.departures['h'], residual: 1.3 + (cycle % 4 < 2 ? amplitude : -amplitude) } },
    })),
    'letkf',
  ).get('desroziers.r.h');

describe('figures of consistency', () => {
  const figures = figuresOf(
    rowsOf('letkf', () => measures),
    'letkf',
  );

  it('are ratios of means over the cycles, each with what good looks like', () => {
    const expected: Record<string, readonly [value: number, verdict: string]> = {
      'desroziers.r.h': [1, 'good'],
      'desroziers.b.h': [1, 'good'],
      'desroziers.a.h': [1, 'good'],
      'degrees-of-freedom': [0.25, 'good'],
      'spread.h': [1, 'good'],
      'spread-skill.h': [1, 'good'],
      // Of 8 truths 3 and 4 in the outer of three ranks, where two thirds are expected.
      ranks: [7 / 8 / (2 / 3), 'high'],
      'spectrum.spread.long': [1, 'good'],
      'spectrum.spread.short': [2, 'high'],
      'spectrum.increment.long': [1, 'good'],
      'spectrum.increment.short': [1, 'good'],
      mass: [1, 'good'],
      energy: [1, 'good'],
      'potential-enstrophy': [1, 'good'],
      imbalance: [2, 'high'],
      ageostrophic: [0.1, 'high'],
    };
    for (const [key, [value, verdict]] of Object.entries(expected)) {
      expect(figures.get(key)?.value, `figure ${key}`).toBeCloseTo(value, 12);
      expect(figures.get(key)?.verdict, `figure ${key}`).toBe(verdict);
    }
    for (const { title, meaning } of figures.values()) {
      expect(title).not.toBe('');
      expect(meaning).toMatch(/^(Near|Within|Between) /);
    }
  });

  it('take the score apart: reliability and potential score are the score', () => {
    // Gaps outside are 0.1/0.2 = 0.5 wide, that inside 0.6: Σ g (o − p)² and Σ g o (1 − o), o = 0.2, 0.5 and 0.8.
    const reliability = 2 * 0.5 * 0.2 ** 2;
    const potential = 2 * 0.5 * 0.16 + 0.6 * 0.25;
    const crps = 0.1 + 0.1 + 0.6 * 0.25;
    expect(reliability + potential).toBeCloseTo(crps, 12);
    expect(figures.get('crps.reliability.h')?.value).toBeCloseTo(reliability / crps, 12);
    expect(figures.get('crps.resolution.h')?.value).toBeCloseTo(1 - potential / 0.5, 12);
  });

  it('of a method without an ensemble, and of one that does not assimilate, are those that it has', () => {
    const rows = [
      ...rowsOf('3dvar', () => ({
        ...measures,
        sampled: {},
        departures: { h: { ...measures.departures['h'], analysisVariance: 0 } },
      })),
      ...rowsOf('free-run', () => ({ ...measures, departures: {} })),
    ];
    const [ofVariational, ofFree] = [figuresOf(rows, '3dvar'), figuresOf(rows, 'free-run')];
    expect(ofVariational.has('desroziers.b.h')).toBe(true);
    for (const key of ['desroziers.a.h', 'spread.h', 'ranks', 'spectrum.spread.long']) {
      expect(ofVariational.has(key), `figure ${key}`).toBe(false);
    }
    expect(ofFree.has('spread.h')).toBe(true);
    for (const key of ['desroziers.r.h', 'imbalance', 'ageostrophic'])
      expect(ofFree.has(key), `figure ${key}`).toBe(false);
  });

  it('have intervals that a series of alternating numbers widens, and are unsure where they reach past what is good', () => {
    const [steady, unsteady] = [varying(0.02), varying(2)];
    expect(steady?.verdict).toBe('high');
    expect(unsteady?.verdict).toBe('unknown');
    expect(steady?.interval?.[0]).toBeGreaterThan(1.25);
    expect(unsteady?.interval?.[0]).toBeLessThan(0.8);
  });

  it('of rows from before they were measured are those that the rows have', () => {
    const old = figuresOf(
      rowsOf('letkf', () => undefined),
      'letkf',
    );
    expect([...old.keys()]).toEqual(['spread.h', 'ranks']);
  });
});
