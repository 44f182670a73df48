/**
 * The ensemble Kalman smoother: the filter to the bit at lag 0, and at every lag the Kalman smoother of the members' own covariances
 * across time, by dense linear algebra written out here. What is kept survives checkpoints and other settings.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend, CycleDiagnostics } from '../../../engine/index.ts';
import { anomaliesOf, meanOf, NO_LOCALISATION } from '../../../engine/check/assimilation/set-up.ts';
import { apply, plusDiagonal, solve, transposed } from '../../../engine/check/assimilation/dense.ts';
import { backends, runBackends } from '../../setup/backends.ts';
import { ensembles, ERROR, errorOf, LAG, MEMBERS, N, run, scenarioOf, type Ran } from './smoothed-ring.ts';

const LETKF = { localisation: { halfWidth: 4 }, inflation: 1.1, rotation: true };

/** Another lag from cycle 4 on. */
function changedTo(lag: number): object {
  return { interventions: [{ cycle: 4, kind: 'setting', path: 'methods[0].lag', value: lag }] };
}

/** Errors by lag, from cycle 3 on. */
function lagErrors({ rows }: Ran): readonly (readonly number[])[] {
  return rows.slice(3).map(({ smoothed }) => smoothed?.rmse['x'] ?? []);
}

/** The mean over the cycles after 20. */
function settled(rows: readonly CycleDiagnostics[], of: (row: CycleDiagnostics) => number | undefined): number {
  const last = rows.filter(({ cycle }) => cycle >= 20);
  return last.reduce((sum, row) => sum + (of(row) ?? Number.NaN), 0) / last.length;
}

describe.each(backends)('the EnKS on $name', ({ open, precision }) => {
  const eps = precision === 'float64' ? 2 ** -53 : 2 ** -24;
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it('is the Kalman smoother of the members’ covariances across time, by dense algebra', async () => {
    const method = { kind: 'enks', label: 'enks', lag: LAG, localisation: NO_LOCALISATION, inflation: 1 };
    const forecasts: Float64Array[] = [];
    const { observed, checkpoints } = await run(backend, scenarioOf([method]), 6, {
      onForecast: (state) => forecasts.push(state),
    });
    const { x, values } = observed[5];
    const seen = Array.from(x, (place) =>
      Float64Array.from({ length: MEMBERS }, (_, member) => forecasts[5][member * N + place]),
    );
    const y = transposed(seen);
    const flat = Float64Array.from(y.flatMap((row) => [...row]));
    const seenAnomalies = anomaliesOf(flat, x.length);
    const innovation = meanOf(flat, x.length).map((mean, j) => values[j] - mean);
    const covariance = (a: readonly Float64Array[], rows: number): Float64Array[] =>
      Array.from({ length: rows }, (_, i) =>
        Float64Array.from(
          { length: x.length },
          (__, j) => a.reduce((sum, row, member) => sum + row[i] * seenAnomalies[member][j], 0) / (MEMBERS - 1),
        ),
      );
    const [weights] = solve(
      plusDiagonal(covariance(seenAnomalies, x.length), new Float64Array(x.length).fill(ERROR ** 2)),
      [innovation],
    );
    // Before this analysis they are the analysis of the cycle before, and what was kept then.
    const before = [ensembles(checkpoints[4], 'method.enks')[0], ...ensembles(checkpoints[4], 'past.enks')];
    const after = ensembles(checkpoints[5], 'past.enks');
    expect(after).toHaveLength(LAG);
    for (const [index, smoothed] of after.entries()) {
      const increment = apply(covariance(anomaliesOf(before[index], N), N), weights);
      const mean = meanOf(before[index], N);
      const expected = mean.map((value, i) => value + increment[i]);
      // Sums of products of numbers up to 10; the condition of S is below 1 + 24·10/0.25.
      expect(meanOf(smoothed, N)).toBeClose(expected, { absolute: eps * 10 * 1000 });
      expect(errorOf(expected, mean)).toBeGreaterThan(1e-3);
    }
  });

  it('reports how far the past is from the truth of then', async () => {
    const { rows, checkpoints } = await run(
      backend,
      scenarioOf([{ kind: 'enks', label: 'enks', lag: LAG, ...LETKF }]),
      5,
    );
    expect(rows.map(({ smoothed }) => smoothed?.rmse['x'].length)).toEqual([1, 2, 3, 3, 3]);
    const truths = checkpoints.map(({ arrays }) => arrays['truth']);
    const past = ensembles(checkpoints[4], 'past.enks');
    const expected = past.map((ensemble, index) => errorOf(meanOf(ensemble, N), truths[3 - index]));
    // Numbers up to 10 in float32, and their differences.
    expect(Float64Array.from(rows[4].smoothed?.rmse['x'] ?? [])).toBeClose(expected, { absolute: eps * 10 * N });
    expect(rows[4].smoothed?.spread['x']).toHaveLength(LAG);
  });
});

describe.each(runBackends)('runs of the EnKS on $name', ({ open }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it('is the LETKF to the bit, whatever its lag', async () => {
    const settings = { ...LETKF, adaptation: { kind: 'innovations' }, relaxation: { kind: 'spread' } };
    const methods = [
      { kind: 'letkf', label: 'one', ...settings },
      { kind: 'enks', label: 'one', lag: 0, ...settings },
      { kind: 'enks', label: 'one', lag: LAG, ...settings },
    ];
    const states: Float64Array[] = [];
    for (const method of methods) {
      const { checkpoints } = await run(backend, scenarioOf([method]), 5);
      states.push(checkpoints[4].arrays['method.one']);
    }
    expect(states[1]).toEqual(states[0]);
    expect(states[2]).toEqual(states[0]);
  });

  it('continues from a checkpoint to the same bits', async () => {
    const scenario = scenarioOf([{ kind: 'enks', label: 'enks', lag: LAG, ...LETKF }]);
    const { rows, checkpoints } = await run(backend, scenario, 6);
    const resumed = await run(backend, scenario, 6, { checkpoint: checkpoints[2] });
    expect(resumed.checkpoints.at(-1)).toEqual(checkpoints[5]);
    expect(resumed.rows.map(({ smoothed }) => smoothed)).toEqual(rows.slice(3).map(({ smoothed }) => smoothed));
  });

  it('keeps its past when other settings follow, as far back as these reach', async () => {
    const method = { kind: 'enks', label: 'enks', lag: LAG, ...LETKF };
    const [same, shorter, longer] = [
      await run(backend, scenarioOf([method]), 6),
      await run(backend, scenarioOf([method], changedTo(1)), 6),
      await run(backend, scenarioOf([method], changedTo(LAG + 1)), 6),
    ];
    expect(lagErrors(shorter)).toEqual(lagErrors(same).map((errors, i) => errors.slice(0, i === 0 ? LAG : 1)));
    expect(lagErrors(longer).map((errors) => errors.slice(0, LAG))).toEqual(lagErrors(same));
    expect(lagErrors(longer).map(({ length }) => length)).toEqual([LAG, LAG + 1, LAG + 1]);
  });
});

it('a past state is closer to the truth than its filter was, over ten seeds', async () => {
  const wasm = backends.find(({ name }) => name === 'wasm') ?? backends[0];
  const backend = await wasm.open();
  for (let seed = 1; seed <= 10; seed++) {
    const method = { kind: 'enks', lag: LAG, localisation: { halfWidth: 5 }, inflation: 1.08 };
    const scenario = scenarioOf([method], { seed, experiment: { cycles: 100, window: 0.1 } });
    const { rows } = await run(backend, scenario, 100);
    const lags = [
      settled(rows, ({ rmse }) => rmse.analysis['x']),
      ...[1, 2, 3].map((lag) => settled(rows, ({ smoothed }) => smoothed?.rmse['x'][lag - 1])),
    ];
    expect(lags[1]).toBeLessThan(lags[0]);
    expect(lags[2]).toBeLessThan(lags[1]);
  }
  backend.dispose();
});
