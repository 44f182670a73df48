/** Edits are part of the run: a scenario with interventions gives the bits of the run that was edited. */
import { describe, expect, it } from 'vitest';
import {
  createExperiment,
  createReferenceBackend,
  cyclesOf,
  NO_FILES,
  scenarioAt,
  validateScenario,
} from '../../../engine/index.ts';
import type { Checkpoint, CycleDiagnostics, ExperimentEvent, Scenario } from '../../../engine/index.ts';
import { tinyScenario } from '../document/run/tiny-scenario.ts';

interface Run {
  readonly rows: readonly Omit<CycleDiagnostics, 'milliseconds'>[];
  readonly events: readonly ExperimentEvent[];
  readonly checkpoint: Checkpoint;
}

/** Runs cycles from a checkpoint or the start. @param until all of the run's if omitted */
async function runOf(scenario: Scenario, { from, until }: { from?: Checkpoint; until?: number } = {}): Promise<Run> {
  const events: ExperimentEvent[] = [];
  const experiment = await createExperiment(createReferenceBackend(), scenario, {
    files: NO_FILES,
    listener: (event) => events.push(event),
    ...(from && { checkpoint: from }),
  });
  const last = until ?? experiment.cycles;
  while (experiment.nextCycle < last) await experiment.step();
  const checkpoint = await experiment.checkpoint();
  experiment.dispose();
  const rows = events.flatMap((event) => {
    if (event.type !== 'diagnostics') return [];
    const { milliseconds: _milliseconds, ...row } = event.diagnostics;
    return [row];
  });
  return { rows, events, checkpoint };
}

function withEdits(...interventions: readonly object[]): Scenario {
  return tinyScenario({ interventions: interventions.map((each) => ({ kind: 'setting', ...each })) });
}

const EDITS = {
  inflation: [{ cycle: 2, path: 'methods[2].inflation', value: 1.6 }],
  'half-width, twice': [
    { cycle: 1, path: 'methods[2].localisation.halfWidth', value: 4 },
    { cycle: 3, path: 'methods[2].localisation', value: { halfWidth: 1.5 } },
  ],
  'observations, their error and how often': [
    { cycle: 2, path: 'observations[0].errorStandardDeviation', value: 0.3 },
    { cycle: 2, path: 'observations[0].every', value: 1 },
    { cycle: 3, path: 'observations[0].dropout', value: 0.4 },
  ],
  'the covariance of 3D-Var': [
    {
      cycle: 2,
      path: 'methods[1].covariance',
      value: { kind: 'gaussian', length: 4, standardDeviation: { h: 0.02, hu: 0.01 } },
    },
  ],
  'the number of cycles': [
    { cycle: 2, path: 'experiment.cycles', value: 7 },
    { cycle: 6, path: 'methods[2].inflation', value: 2 },
  ],
} as const;

describe('a run with interventions', () => {
  it.each(Object.entries(EDITS))('gives the bits of the run that was edited: %s', async (_, edits) => {
    const edited = withEdits(...edits);
    const whole = await runOf(edited);
    expect(whole.checkpoint.cycle).toBe(cyclesOf(edited));

    // As a window does it: the run before the edit continues from there under the scenario with it.
    const [{ cycle }] = edits;
    const before = await runOf(tinyScenario(), { until: cycle });
    const after = await runOf(edited, { from: before.checkpoint });
    expect([...before.rows, ...after.rows]).toEqual(whole.rows);
    expect(after.checkpoint).toEqual(whole.checkpoint);

    // Stopped after the edit and resumed.
    const part = await runOf(edited, { until: cycle + 1 });
    const resumed = await runOf(edited, { from: part.checkpoint });
    expect(resumed.checkpoint).toEqual(whole.checkpoint);

    // It is another run than the one without them, from the edit on.
    const plain = await runOf(tinyScenario());
    expect(plain.rows.slice(0, 3 * cycle)).toEqual(whole.rows.slice(0, 3 * cycle));
    expect(plain.checkpoint.arrays).not.toEqual(whole.checkpoint.arrays);
  });

  it('reports χ² of every filter in each cycle with observations, with other settings as before them', async () => {
    const { rows } = await runOf(withEdits({ cycle: 2, path: 'methods[2].inflation', value: 1.6 }));
    const told = (method: string) =>
      rows.flatMap(({ method: label, innovation }) => (label === method && innovation ? [innovation.chiSquare] : []));
    expect(told('free-run')).toEqual([undefined, undefined]);
    for (const method of ['3dvar', 'letkf']) {
      const values = told(method);
      expect(values).toEqual([expect.any(Number), expect.any(Number)]);
      expect(values.every((value) => value !== undefined && value > 0)).toBe(true);
    }
  });

  it('says at which cycle settings take effect', async () => {
    const { events } = await runOf(withEdits({ cycle: 2, path: 'methods[2].inflation', value: 1.6 }));
    const at = events.findIndex(({ type }) => type === 'edited');
    expect(events[at]).toMatchObject({
      type: 'edited',
      cycle: 2,
      edits: [{ path: 'methods[2].inflation', value: 1.6 }],
    });
    expect(events.slice(0, at).filter(({ type }) => type === 'cycle')).toHaveLength(2);
  });

  it('does not continue from a checkpoint of other edits', async () => {
    const edited = withEdits({ cycle: 1, path: 'methods[2].inflation', value: 1.6 });
    const { checkpoint } = await runOf(edited, { until: 2 });
    await expect(runOf(tinyScenario(), { from: checkpoint })).rejects.toThrow(/another scenario/);
  });
});

describe('a scenario with interventions', () => {
  it('has the settings of each cycle', () => {
    const scenario = withEdits(
      { cycle: 1, path: 'methods[2].inflation', value: 1.6 },
      { cycle: 3, path: 'methods[2].inflation', value: 2 },
    );
    const inflations = [0, 1, 2, 3].map((cycle) => {
      const method = scenarioAt(scenario, cycle).methods[2];
      return method?.kind === 'letkf' ? method.inflation : undefined;
    });
    expect(inflations).toEqual([1.1, 1.6, 1.6, 2]);
  });

  it.each([
    [{ cycle: 1, path: 'grid.nx', value: 24 }, /interventions\[0\]\.path: found "grid\.nx", allowed: settings/],
    [
      { cycle: 1, path: 'methods[2].inflation', value: 0.5 },
      /interventions\[0\]\.value: methods\[2\]\.inflation: found 0\.5/,
    ],
    [{ cycle: 1, path: 'methods[2].inflatoin', value: 2 }, /interventions\[0\]\.path/],
    [{ cycle: 1, path: 'methods[3].inflation', value: 2 }, /interventions\[0\]\.value/],
    [{ cycle: 9, path: 'methods[2].inflation', value: 2 }, /interventions\[0\]\.cycle: found 9, allowed: at most 4/],
    [{ cycle: 3, path: 'experiment.cycles', value: 2 }, /interventions\[0\]\.value: found 2, allowed: at least 3/],
    [
      { cycle: 1, path: 'methods[1].covariance.balance', value: 'geostrophic' },
      /interventions\[0\]\.value: found "geostrophic"/,
    ],
    [{ cycle: 1, path: 'methods[2].inflation' }, /interventions\[0\]\.value/],
    [{ cycle: 1, kind: 'flood', path: 'methods[2].inflation', value: 1 }, /interventions\[0\]\.kind/],
  ])('is refused where %j cannot be', (edit, message) => {
    expect(() => withEdits(edit)).toThrow(message);
  });

  it('is refused where they do not ascend', () => {
    const path = 'methods[2].inflation';
    expect(() => withEdits({ cycle: 3, path, value: 2 }, { cycle: 1, path, value: 2 })).toThrow(
      /interventions\[1\]\.cycle: found 1 after 3/,
    );
  });

  it('reads back what it was written as', () => {
    const scenario = withEdits({ cycle: 1, path: 'methods[2].inflation', value: 1.6 });
    expect(validateScenario(JSON.parse(JSON.stringify(scenario)), 'again').scenario).toEqual(scenario);
  });
});
