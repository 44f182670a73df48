/** What a run will take: settings that would never end are rejected or reported, whatever makes them long. */
import { describe, expect, it } from 'vitest';
import { LimitError } from '../../../engine/errors.ts';
import {
  checkEffort,
  describeEffort,
  estimateEffort,
  estimateSeconds,
  warningsOf,
} from '../../../engine/scenario/index.ts';
import type { ScenarioInput } from '../../../engine/scenario/index.ts';
import { parsed, problemsWith, warningLines } from './problems-of.ts';

const AT_REST = { truth: { initial: { kind: 'rest' } }, background: { initial: { kind: 'rest' } } } as const;
const ROOMY = { grid: { nx: 64, ny: 64 } } as const;

describe('a forecast of more steps than are taken is refused, with what would do', () => {
  it.each<readonly [string, Partial<ScenarioInput>, RegExp]>([
    [
      'a step of 1e-9 s',
      { model: { timeStep: 1e-9 } },
      /^experiment\.window: found 1 s, .* 1\.0e\+9 steps of model\.timeStep/,
    ],
    ['a step of 1e-300 s', { model: { timeStep: 1e-300 } }, /^experiment\.window: found 1 s, .* 1\.0e\+300 steps/],
    [
      'a window of 1e8 s',
      { experiment: { window: 1e8 } },
      /^experiment\.window: found 100000000 s, .* "auto" on cells of 1 m, allowed: at most 50000000: up to \d+(\.\d+)? s/,
    ],
    ['a spin-up of 1e9 s', { truth: { spinup: 1e9 } }, /^truth\.spinup: found 1000000000 s/],
    ['cells of 1 µm', { grid: { dx: 1e-8, dy: 1000 } }, /^experiment\.window: .* cells of 1e-8 m/],
  ])('%s', (_what, changes, message) => {
    expect(
      problemsWith({
        ...ROOMY,
        ...AT_REST,
        ...changes,
      }).join('\n'),
    ).toMatch(message);
  });
});

function seconds(changes: Partial<ScenarioInput>): number {
  return estimateSeconds(estimateEffort(parsed({ ...ROOMY, ...changes })), 'reference');
}

/** The effort of a run of two filters and 3D-Var that records impacts. */
function effortOf(impact: NonNullable<ScenarioInput['experiment']>['impact']) {
  return estimateEffort(
    parsed({
      grid: { nx: 10, ny: 20 },
      model: { timeStep: 0.1 },
      background: { members: 7 },
      observations: [{ network: { kind: 'regular', stride: [5, 5] } }],
      methods: [{ kind: 'letkf', localisation: { halfWidth: 1.5 } }, { kind: '3dvar' }, { kind: 'enkf' }],
      experiment: { cycles: 30, window: 2, impact },
    }),
  );
}

describe('the effort of a run', () => {
  it('counts the forecasts that recorded impacts take, and what the host sums', () => {
    const [none, truth, own] = [
      effortOf({ lead: 'none' }),
      effortOf({ lead: 2 }),
      effortOf({ lead: 2, verification: 'analysis' }),
    ];
    // Of two filters, two windows of 20 steps each; truth, and twice 7 members, or three times.
    expect(truth.steps - none.steps).toBeCloseTo(30 * 2 * 2 * 20, 6);
    expect(truth.cellSteps - none.cellSteps).toBeCloseTo(30 * 2 * 2 * 20 * 200 * (1 + 14), 3);
    expect(own.cellSteps - none.cellSteps).toBeCloseTo(30 * 2 * 2 * 20 * 200 * (1 + 21), 3);
    expect(truth.operations).toBe(none.operations);
    expect(own.operations).toBeGreaterThan(none.operations);
    expect(none.hostOperations).toBe(0);
    // Sums over 3 variables; over 8 gauges with 36 cells in reach of the LETKF.
    expect(truth.hostOperations).toBeGreaterThan(30 * (2 * 3 * 200 * 7 * 2 + 8 * 36 * (20 + 14)));
    expect(effortOf({ lead: 0 }).cellSteps).toBe(none.cellSteps);
    expect(effortOf({ lead: 0 }).hostOperations).toBe(truth.hostOperations);
    expect(estimateSeconds(truth, 'webgpu') - estimateSeconds({ ...truth, hostOperations: 0 }, 'webgpu')).toBeCloseTo(
      truth.hostOperations / 4e8,
      12,
    );
  });

  it('counts steps, and the cells of all states in them', () => {
    const scenario = parsed({
      grid: { nx: 10, ny: 20 },
      model: { timeStep: 0.1 },
      truth: { initial: { kind: 'rest' }, spinup: 5 },
      background: { initial: { kind: 'rest' }, members: 7 },
      methods: [{ kind: 'free-run' }, { kind: '3dvar' }, { kind: 'letkf' }],
      experiment: { cycles: 30, window: 2 },
    });
    const all = estimateEffort(scenario);
    expect(all.steps).toBeCloseTo(650, 6);
    expect(all.longestForecast).toBeCloseTo(50, 6);
    expect(all.cellSteps).toBeCloseTo(200 * (600 * (1 + 7 + 1 + 7) + 50 * 8), 3);
    expect(estimateEffort(scenario, ['3dvar']).cellSteps).toBeCloseTo(200 * (600 * 2 + 50 * 8), 3);
  });

  it('grows with each setting that makes a run long', () => {
    const usual = seconds({});
    const longer: readonly Partial<ScenarioInput>[] = [
      { experiment: { cycles: 400 } },
      { experiment: { window: 10 } },
      { background: { members: 200 } },
      { truth: { spinup: 1000 } },
      { model: { courant: 0.01 } },
      { grid: { nx: 64, ny: 64, dx: 1e-3 }, ...AT_REST },
      { methods: [{ kind: '3dvar', covariance: { kind: 'recursive-filter', iterations: 1000 } }] },
      { methods: [{ kind: 'enkf' }], observations: [{ network: { kind: 'random', count: 4000 } }] },
      { methods: [{ kind: 'letkf', localisation: { halfWidth: 1e3 } }], background: { members: 200 } },
      { background: { initial: { kind: 'drops', count: 10_000 } } },
    ];
    for (const changes of longer) expect(seconds(changes)).toBeGreaterThan(2 * usual);
  });

  it('is reported where it is long, and refused above a day unless it is asked for', () => {
    expect(warningsOf(parsed(ROOMY)).filter(({ path }) => path[0] === 'experiment')).toEqual([]);
    const hours = parsed({ ...ROOMY, experiment: { cycles: 4000, window: 10 } });
    expect(warningLines(hours).join('\n')).toMatch(
      /^experiment\.cycles: the run has [\d.e+]+ model steps, about [\d.]+ (min|h) on the reference backend, about [\d.]+ (s|min|h) on two cores with SIMD, about [\d.]+ (s|min) on a GPU/m,
    );
    expect(() => checkEffort(estimateEffort(hours), 'reference', 'wait')).not.toThrow();
    const months = estimateEffort(parsed({ ...ROOMY, experiment: { cycles: 1e6, window: 1000 } }));
    expect(describeEffort(months, 'reference')).toMatch(/^[\d.e+]+ model steps, about [\d.]+ (days|years)$/);
    expect(() => checkEffort(months, 'reference', 'start it with --allow-long')).toThrow(LimitError);
    expect(() => checkEffort(months, 'reference', 'start it with --allow-long')).toThrow(
      /allowed: a day; use fewer cycles, .* or start it with --allow-long$/,
    );
  });
});
