/** A method that diverges is omitted, the others continue, and the message names the cause that the evidence shows. */
import { describe, expect, it } from 'vitest';
import { findCause } from '../../../engine/experiment/divergence-cause.ts';
import type { EvidenceRow } from '../../../engine/experiment/divergence-cause.ts';

import {
  createExperiment,
  createReferenceBackend,
  NO_FILES,
  scenarioAt,
  validateScenario,
} from '../../../engine/index.ts';
import type { Checkpoint, ExperimentEvent, MethodDivergence, Scenario } from '../../../engine/index.ts';

/** Drops in a small basin with fixed steps, seen by gauges. */
function basin(changes: object = {}, edits: readonly object[] = []): Scenario {
  const raw = {
    version: 3,
    name: 'basin',
    seed: 7,
    grid: { nx: 24, ny: 24 },
    model: { scheme: 'lax-wendroff', timeStep: 0.1, bathymetry: { kind: 'flat', depth: 1 } },
    truth: { initial: { kind: 'drops', count: 6, amplitude: [0.1, 0.5], width: 10 }, spinup: 4 },
    background: { initial: { kind: 'drops', count: 6, amplitude: [0.1, 0.5], width: 10 }, members: 8 },
    observations: [
      { name: 'gauges', network: { kind: 'regular', stride: [4, 4], offset: [2, 2] }, errorStandardDeviation: 0.02 },
    ],
    methods: [{ kind: 'free-run' }, { kind: 'letkf', localisation: { halfWidth: 4 }, inflation: 1.1 }],
    experiment: { cycles: 8, window: 1 },
    interventions: edits.map((edit) => ({ kind: 'setting', ...edit })),
    ...changes,
  };
  return validateScenario(raw, 'basin').scenario;
}

interface Told {
  readonly events: ExperimentEvent[];
  readonly checkpoints: Checkpoint[];
  readonly error: unknown;
}

async function told(
  scenario: Scenario,
  { from, methods }: { from?: Checkpoint; methods?: string[] } = {},
): Promise<Told> {
  const events: ExperimentEvent[] = [];
  const checkpoints: Checkpoint[] = [];
  let error: unknown;
  try {
    const experiment = await createExperiment(createReferenceBackend(), scenario, {
      files: NO_FILES,
      listener: (event) => events.push(event),
      ...(from && { checkpoint: from }),
      ...(methods && { methods }),
    });
    while (experiment.nextCycle < experiment.cycles) {
      await experiment.step();
      checkpoints.push(await experiment.checkpoint());
    }
    experiment.dispose();
  } catch (thrown) {
    error = thrown;
  }
  return { events, checkpoints, error };
}

function divergencesIn(events: readonly ExperimentEvent[]): MethodDivergence[] {
  return events.flatMap((event) => (event.type === 'diverged' ? [event] : []));
}

function rowsOf(events: readonly ExperimentEvent[], method: string): object[] {
  return events.flatMap((event) => {
    if (event.type !== 'diagnostics' || event.diagnostics.method !== method) return [];
    const { milliseconds: _milliseconds, ...row } = event.diagnostics;
    return [row];
  });
}

const INFLATED = [{ cycle: 3, path: 'methods[1].inflation', value: 30 }];

describe('a method that diverges', () => {
  it('is omitted from then on, and changes no number of the others', async () => {
    const { events, error } = await told(basin({}, INFLATED));
    const [divergence, ...more] = divergencesIn(events);
    expect([error, more]).toEqual([undefined, []]);
    const { cycle, method, cause, edits, message } = divergence;
    expect({ method, cause, edits }).toEqual({
      method: 'letkf',
      cause: 'inflation',
      edits: [{ kind: 'setting', ...INFLATED[0] }],
    });
    expect(cycle).toBeGreaterThan(3);
    expect(message).toMatch(/inflation 30 makes the spread grow: that of h went from 0\.0\d+ to 0\.\d+ m in \d cycles/);
    expect(message).toContain('at cycle 3 letkf: inflation 1.1 → 30');
    expect(message).toMatch(/Lower it\.$/);
    expect(message).not.toMatch(/timeStep|time step/);
    expect(rowsOf(events, 'letkf')).toHaveLength(cycle);
    expect(events.at(-1)).toMatchObject({ type: 'end' });

    const alone = await told(basin({ methods: [{ kind: 'free-run' }] }));
    expect(rowsOf(events, 'free-run')).toEqual(rowsOf(alone.events, 'free-run'));
  });

  it('does so with the same words when the run was stopped in between, and stays out when it is resumed later', async () => {
    const scenario = basin({}, INFLATED);
    const { events, checkpoints } = await told(scenario);
    const [divergence] = divergencesIn(events);
    const before = await told(scenario, { from: checkpoints[divergence.cycle - 1] });
    expect(divergencesIn(before.events)).toEqual([divergence]);
    expect(before.checkpoints.at(-1)).toEqual(checkpoints.at(-1));

    const after = await told(scenario, { from: checkpoints[divergence.cycle] });
    expect(after.events[0]).toMatchObject({ type: 'start', diverged: { letkf: divergence.cycle } });
    expect(divergencesIn(after.events)).toEqual([]);
    expect(rowsOf(after.events, 'letkf')).toEqual([]);
    expect(after.checkpoints.at(-1)).toEqual(checkpoints.at(-1));
  });

  it('ends the run where it is the last', async () => {
    const { events, error } = await told(basin({}, INFLATED), { methods: ['letkf'] });
    expect(divergencesIn(events)).toHaveLength(1);
    expect(error).toMatchObject({ name: 'AllDivergedError', message: expect.stringContaining('Every method') });
  });
});

/** A cycle in which nothing is wrong, but for what is given. */
const rowOf = (cycle: number, changes: Partial<EvidenceRow> = {}): EvidenceRow => ({
  cycle,
  forecastSpread: 0.03,
  analysisSpread: 0.02,
  forecastError: 0.03,
  analysisError: 0.02,
  normalisedSquares: 1.1,
  ...changes,
});
const causeOf = (rows: readonly EvidenceRow[], edits: readonly object[] = []) => {
  const scenario = basin({}, edits);
  const variable = { name: 'h', unit: 'm' };
  return findCause({ scenario, now: scenarioAt(scenario, 6), index: 1, cycle: 6, rows, variable });
};

describe('the cause', () => {
  const CYCLES = [0, 1, 2, 3, 4, 5];

  it('is the observation error where innovations are far beyond it, since it was changed', () => {
    const edits = [{ cycle: 4, path: 'observations[0].errorStandardDeviation', value: 1e-4 }];
    const rows = CYCLES.map((cycle) => rowOf(cycle, cycle < 4 ? {} : { normalisedSquares: 400 }));
    const found = causeOf(rows, edits);
    expect(found.cause).toBe('observation-error');
    expect(found.evidence).toBe(
      'innovations were 20 times as large as the errors of background and observations allow ' +
        '(at cycle 4 gauges: errorStandardDeviation 0.02 → 0.0001)',
    );
    expect(causeOf(rows).cause).toBe('unknown');
  });

  it('is the analysis where it makes most forecasts worse', () => {
    const rows = CYCLES.map((cycle) => rowOf(cycle, cycle < 2 ? {} : { analysisError: 0.2 }));
    expect(causeOf(rows)).toMatchObject({
      cause: 'analysis',
      evidence: 'analyses were worse than forecasts in 4 of 6 cycles: in cycle 5 the RMSE of h went from 0.03 to 0.2 m',
    });
  });

  it('is not inflation where the spread has not grown, and is said to be unknown if nothing shows it', () => {
    expect(causeOf(CYCLES.map((cycle) => rowOf(cycle)))).toMatchObject({ cause: 'unknown', edits: [] });
    expect(causeOf([])).toMatchObject({ cause: 'unknown', evidence: expect.stringContaining('in cycle 6') });
    const grown = CYCLES.map((cycle) => rowOf(cycle, { forecastSpread: 0.03 * 1.5 ** cycle }));
    expect(causeOf(grown)).toMatchObject({ cause: 'inflation', evidence: expect.stringContaining('inflation 1.1') });
  });

  it('is the scheme where its noise had time to grow and nothing inflates the spread', () => {
    const scenario = basin({ experiment: { cycles: 200, window: 1 } });
    const variable = { name: 'h', unit: 'm' };
    const suspect = { scenario, now: scenario, index: 1, rows: CYCLES.map((cycle) => rowOf(cycle)), variable };
    // C = √9.8·0.1 = 0.31: a fold in 15 s.
    expect(findCause({ ...suspect, cycle: 20 }).cause).toBe('unknown');
    expect(findCause({ ...suspect, cycle: 100 })).toMatchObject({
      cause: 'unstable-scheme',
      remedy: expect.stringContaining('richtmyer'),
    });
  });

  it('omits what was changed of another method', () => {
    const edits = [{ cycle: 3, path: 'experiment.cycles', value: 9 }];
    expect(
      causeOf(
        CYCLES.map((cycle) => rowOf(cycle)),
        edits,
      ).edits,
    ).toEqual([]);
  });

  it('is the time step where waves at rest cross too many cells in it; then the truth diverges and the run ends', async () => {
    const { error } = await told(basin({ model: { scheme: 'lax-wendroff', timeStep: 0.5 } }));
    expect(error).toMatchObject({ name: 'DivergenceError' });
    expect(String(error)).toMatch(
      /the truth.*Likely cause: a wave of \d.*crosses 1\.\d cells in a time step of 0\.5 s/,
    );
  });
});
