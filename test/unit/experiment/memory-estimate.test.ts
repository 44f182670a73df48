/** What a run is said to need is what it takes: array buffers are counted whenever the run holds most. */
import { setFlagsFromString } from 'node:v8';
import { setTimeout as turn } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createReferenceBackend } from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { createExperiment } from '../../../engine/experiment/index.ts';
import { recordedImpacts } from '../../../engine/impact/index.ts';
import { METHODS } from '../../../engine/methods/index.ts';
import {
  NO_FILES,
  SCENARIO_VERSION,
  estimateExplanationMemory,
  estimateMemory,
  recordedImpact,
  validateScenario,
} from '../../../engine/scenario/index.ts';
import type { Scenario, ScenarioInput } from '../../../engine/scenario/index.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function bytesNow(): number {
  // The second one waits for what the first has only marked as free.
  collect();
  collect();
  return process.memoryUsage().arrayBuffers;
}

/** Once what earlier tests left behind is gone: buffers are freed a while after they are collected. */
async function bytesAtRest(): Promise<number> {
  collect();
  await turn(20);
  return bytesNow();
}

interface Watched {
  readonly backend: Backend;
  /** Elements of real fields that are allocated and not disposed. */
  readonly reals: () => number;
}

/** A reference backend that counts its reals, and has somebody look when a field of `large` elements or more is written, or goes. */
function watched(large: number, look: () => void): Watched {
  const backend = createReferenceBackend();
  let reals = 0;
  const allocate: Backend['allocate'] = (label, kind, length) => {
    const field = backend.allocate(label, kind, length);
    const dispose = field.dispose.bind(field);
    const share = kind === 'real' ? length : 0;
    reals += share;
    return Object.assign(field, {
      dispose: () => {
        if (share >= large) look();
        reals -= share;
        dispose();
      },
    });
  };
  const write: Backend['write'] = (field, values, offset) => {
    backend.write(field, values, offset);
    if (field.length >= large) look();
  };
  const overridden = new Map<PropertyKey, unknown>(Object.entries({ allocate, write }));
  const proxy = new Proxy(backend, {
    get(target, name) {
      const value: unknown = overridden.get(name) ?? Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { backend: proxy, reals: () => reals };
}

/**
 * What a run of its cycles and a checkpoint holds at most beyond what was there: bytes of array buffers, and how many they would be
 * at most if the reals in fields were half as wide.
 */
async function peakOf(scenario: Scenario): Promise<{ readonly bytes: number; readonly narrow: number }> {
  const before = await bytesAtRest();
  const peak = { bytes: 0, narrow: 0 };
  const look = (): void => {
    const bytes = bytesNow() - before;
    peak.bytes = Math.max(peak.bytes, bytes);
    peak.narrow = Math.max(peak.narrow, bytes - 4 * counted.reals());
  };
  const { grid, background } = scenario;
  const counted = watched(3 * grid.nx * grid.ny * background.members, look);
  const experiment = await createExperiment(counted.backend, scenario, { files: NO_FILES, listener: () => undefined });
  look();
  const situation = { backend: counted.backend, scenario, files: NO_FILES, memoryBytes: Infinity };
  experiment.keepForecasts(recordedImpact(scenario.experiment) !== undefined);
  while (experiment.nextCycle < experiment.cycles) {
    await experiment.step();
    look();
    await recordedImpacts(experiment, situation);
    look();
  }
  await experiment.checkpoint();
  look();
  experiment.dispose();
  counted.backend.dispose();
  return peak;
}

const CASES: readonly (readonly [what: string, changes: Partial<ScenarioInput>])[] = [
  ...METHODS.map(({ kind }): [string, Partial<ScenarioInput>] => [`the method ${kind}`, { methods: [{ kind }] }]),
  ['3D-Var with few members', { methods: [{ kind: '3dvar' }], background: { members: 4 } }],
  [
    '3D-Var of three variables',
    {
      methods: [
        { kind: '3dvar', covariance: { kind: 'recursive-filter', standardDeviation: { h: 0.1, hu: 0.1, hv: 0.1 } } },
      ],
    },
  ],
  [
    '4D-Var with a scheme whose steps are kept for its derivative',
    { model: { scheme: 'central-upwind' }, methods: [{ kind: '4dvar' }], experiment: { cycles: 1, window: 2 } },
  ],
  [
    'impacts of two filters, compared with the truth,',
    { methods: [{ kind: 'letkf' }, { kind: 'denkf' }], experiment: { cycles: 1, window: 0.05, impact: { lead: 1 } } },
  ],
  [
    'impacts of a filter, compared with its analyses,',
    {
      methods: [{ kind: 'letkf' }],
      experiment: { cycles: 1, window: 0.05, impact: { lead: 2, verification: 'analysis' } },
    },
  ],
  ['an LETKF that rotates', { methods: [{ kind: 'letkf', rotation: true }] }],
  ['a method of each kind', { methods: METHODS.map(({ kind }) => ({ kind })) }],
  [
    'drops that fall on each member',
    { methods: [{ kind: 'free-run' }], truth: { forcing: { kind: 'drops', seenBy: 'each' } } },
  ],
  [
    'stirring of each member, with a method of each kind',
    {
      methods: METHODS.map(({ kind }) => ({ kind })),
      truth: { spinup: 0.1, forcing: { kind: 'stirring', shortest: 6, longest: 9, seenBy: 'each' } },
    },
  ],
  [
    'a run in which gauges are painted and a drop falls on each member',
    {
      methods: METHODS.map(({ kind }) => ({ kind })),
      experiment: { cycles: 2, window: 0.05 },
      interventions: [
        { kind: 'gauges', cycle: 1, add: Array.from({ length: 100 }, (_, i) => [i % 10, Math.floor(i / 10) + 0.5]) },
        { kind: 'drop', cycle: 1, x: 12, y: 9, radius: 4, height: 0.1, seenBy: 'each' },
      ],
    },
  ],
];

const LARGE = CASES.filter(([what]) => what === 'a method of each kind' || what === 'the method enkf').map(
  (row) => [72, ...row] as const,
);

describe('of what a run needs', () => {
  it.each([...CASES.map((row) => [40, ...row] as const), ...LARGE])(
    'on %d² cells, %s takes what is said, to a fifth',
    async (n, _what, changes) => {
      const { scenario } = validateScenario(
        {
          version: SCENARIO_VERSION,
          name: 'memory',
          grid: { nx: n, ny: n },
          background: { members: 16 },
          observations: [{ network: { kind: 'regular', stride: [6, 6] } }],
          experiment: { cycles: 1, window: 0.05 },
          ...changes,
        },
        'memory.json',
      );
      const peak = await peakOf(scenario);
      const said = estimateMemory(scenario, 8);
      expect(said / peak.bytes).toBeGreaterThan(0.8);
      expect(said / peak.bytes).toBeLessThan(1.2);
      // With numbers half as wide, the fields on the backend are half as large and nothing else is.
      const narrower = estimateMemory(scenario, 4, true);
      expect(narrower / peak.narrow).toBeGreaterThan(0.8);
      expect(narrower / peak.narrow).toBeLessThan(1.2);
    },
  );
});

it('what the answers to all questions hold is not more than is said', async () => {
  const { scenario } = validateScenario(
    {
      version: SCENARIO_VERSION,
      name: 'memory',
      grid: { nx: 24, ny: 24 },
      background: { members: 16 },
      observations: [{ network: { kind: 'regular', stride: [6, 6] } }],
      methods: METHODS.map(({ kind }) => ({ kind })),
      experiment: { cycles: 2, window: 0.05 },
    },
    'memory.json',
  );
  let peak = 0;
  const { backend, reals } = watched(3 * 24 * 24, () => {
    peak = Math.max(peak, reals());
  });
  const experiment = await createExperiment(backend, scenario, { files: NO_FILES, listener: () => undefined });
  await experiment.step();
  const before = reals();
  experiment.keepForecasts(true);
  await experiment.step();
  peak = reals();
  for (const { kind } of METHODS) {
    await experiment.explain(kind, { kind: 'single-observation', observation: { index: 3 } });
    await experiment.explain(kind, { kind: 'observation', observation: { index: 3 } });
    await experiment.explain(kind, { kind: 'influence', variable: 'h', cell: { x: 3, y: 3 } });
    await experiment.explain(kind, { kind: 'covariance-column', variable: 'h', cell: { x: 3, y: 3 } });
    await experiment.explain(kind, { kind: 'minimisation' });
  }
  const held = 8 * (Math.max(peak, reals()) - before);
  const said = estimateExplanationMemory(scenario, 8);
  expect(held).toBeLessThan(said);
  expect(held).toBeGreaterThan(0.8 * said);
  experiment.dispose();
  backend.dispose();
});
