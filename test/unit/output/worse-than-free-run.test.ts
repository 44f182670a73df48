/** Variables in which a method is worse than the free run, and the cause that the rows point to. */
import { describe, expect, it } from 'vitest';
import { gatherSummary, parseScenario, summaryTerms, worseInShort, worseThanFreeRun } from '../../../engine/index.ts';
import type { CycleDiagnostics, WorseThanFreeRun } from '../../../engine/index.ts';
import { diagnosticsRow } from '../../setup/diagnostics-row.ts';

const CYCLES = 40;

/** Errors of hu by cycle; those of h are small. */
interface Course {
  readonly error: (cycle: number) => number;
  /** Before the analysis; twice the error if omitted. */
  readonly forecast?: (cycle: number) => number;
  /** Spread; default: that of the error. */
  readonly spread?: (cycle: number) => number;
  readonly chiSquare?: number;
  readonly h?: number;
}

function row(method: string, cycle: number, course: Course): CycleDiagnostics {
  const { error, forecast = (at) => 2 * error(at), spread = error, chiSquare = 1, h = 0.1 } = course;
  return {
    ...diagnosticsRow(method, cycle, { h, hu: error(cycle) }),
    rmse: { forecast: { h: 2 * h, hu: forecast(cycle) }, analysis: { h, hu: error(cycle) } },
    spread: { forecast: { h, hu: spread(cycle) }, analysis: { h, hu: spread(cycle) } },
    innovation: { count: 9, rejected: 0, mean: 0, standardDeviation: 1, normalisedSquares: 1, chiSquare },
  };
}

function worse(
  course: Course,
  { kind = 'letkf', inflation = 1, diverged = CYCLES }: { kind?: string; inflation?: number; diverged?: number } = {},
): readonly WorseThanFreeRun[] {
  const entry = kind === '3dvar' ? { kind, label: 'own' } : { kind, label: 'own', inflation };
  const { scenario } = parseScenario(
    JSON.stringify({
      version: 3,
      name: 'small',
      methods: [{ kind: 'free-run' }, entry],
      experiment: { cycles: CYCLES },
    }),
    'small.json',
  );
  const cycles = [...Array(CYCLES).keys()];
  const rows = cycles.flatMap((cycle) => [
    row('free-run', cycle, { error: () => 1, h: 1 }),
    ...(cycle < diverged ? [row('own', cycle, course)] : []),
  ]);
  const methods = scenario.methods.map((method) => ({ label: method.label, kind: method.kind, members: 4 }));
  const lost = diverged < CYCLES ? [{ method: 'own', cycle: diverged }] : [];
  return worseThanFreeRun(scenario, methods, gatherSummary(rows, { ...summaryTerms(scenario), spinup: 0 }), lost);
}

describe('worseThanFreeRun', () => {
  it('finds nothing if every variable is better', () => {
    expect(worse({ error: () => 0.5 })).toEqual([]);
  });

  it('finds an unobserved variable that is worse over the run, and says so in words', () => {
    const found = worse({ error: () => 2 });
    expect(found).toMatchObject([
      { method: 'own', variable: 'hu', isObserved: false, over: 'run', error: 2, freeRunError: 1, cause: 'unknown' },
    ]);
    expect(found[0].words).toMatch(
      /^own is worse than the free run in hu, which is not observed: its error over the run is 2 against 1 m²\/s\. Likely cause: /,
    );
    expect(worseInShort(found)).toEqual(['own is worse than the free run in hu']);
  });

  it('finds drift that only the last quarter shows', () => {
    expect(worse({ error: (cycle) => (cycle < 30 ? 0.2 : 1.5) })).toMatchObject([
      { over: 'last-quarter', error: 1.5, cause: 'unobserved-growth' },
    ]);
  });

  it.each<[WorseThanFreeRun['cause'], Course, Parameters<typeof worse>[1]]>([
    ['divergence', { error: (cycle) => 1 + cycle }, { diverged: 12 }],
    ['uncorrected', { error: () => 2, forecast: () => 2 }, { kind: '3dvar' }],
    ['inflation', { error: (cycle) => 1 + cycle / 20, spread: (cycle) => 0.5 + cycle / 10 }, { inflation: 1.2 }],
    ['too-little-spread', { error: () => 2, spread: () => 0.5 }, {}],
    ['too-little-spread', { error: () => 2, chiSquare: 4 }, {}],
    ['spurious-correlations', { error: () => 2, forecast: () => 1.8 }, {}],
    ['error-statistics', { error: () => 2, forecast: () => 1.8 }, { kind: '3dvar' }],
    ['unobserved-growth', { error: (cycle) => 1 + cycle / 10 }, {}],
  ])('names %s as the cause', (cause, course, options) => {
    expect(worse(course, options).map((each) => each.cause)).toEqual([cause]);
  });

  it('writes errors before and after with as many digits as distinguish them', () => {
    const [{ words }] = worse({ error: () => 2.004, forecast: () => 1.996 }, { kind: '3dvar' });
    expect(words).toContain('on average from 1.996 to 2.004: the covariance that is set');
  });

  it('finds an observed variable too, and that analyses make it worse', () => {
    const { rmse } = row('own', 0, { error: () => 0.5 });
    expect(rmse.analysis['hu']).toBe(0.5);
    const found = worse({ error: () => 0.5, h: 3 });
    expect(found).toMatchObject([{ variable: 'h', isObserved: true, cause: 'unknown' }]);
  });

  it('compares a method that diverged over the cycles that it has', () => {
    expect(worse({ error: () => 0.5 }, { diverged: 5 })).toEqual([]);
  });
});
