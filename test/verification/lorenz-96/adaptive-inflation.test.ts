/**
 * Inflation that adapts itself on Lorenz-96, every variable observed to 0.3, ten members, a radius of 4: of constant factors the best
 * that was found is between 1.02 and 1.06, and 1.3 costs half as much again.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { CycleDiagnostics } from '../../../engine/index.ts';
import { backendNamed } from '../../setup/backends.ts';
import { scenarioOf, twin } from '../../../engine/check/assimilation/twin.ts';
import type { TwinInput } from '../../../engine/check/assimilation/twin.ts';

const [CYCLES, SETTLED] = [600, 300];
const CONSTANT = [1.02, 1.06, 1.3];
const ADAPTIVE = [
  { kind: 'innovations', deviation: 0.1, start: 1 },
  { kind: 'innovations', deviation: 0.1, start: 3 },
  { kind: 'desroziers', deviation: 0.04, start: 1 },
  { kind: 'desroziers', deviation: 0.04, start: 3 },
] as const;

const localisation = { halfWidth: 7.28 };
const labelOf = ({ kind, start }: (typeof ADAPTIVE)[number]): string => `${kind} from ${start}`;
const perturbation = { standardDeviation: 0.0316, length: 0.01 };

const input: TwinInput = {
  name: 'adaptive-inflation',
  grid: { nx: 40, ny: 1 },
  model: { kind: 'lorenz-96', forcing: 8, timeStep: 0.05 },
  truth: { initial: { kind: 'climatology' }, perturbation },
  background: { initial: { kind: 'truth' }, perturbation, members: 10 },
  observations: [
    { name: 'all', variable: 'x', network: { kind: 'regular', stride: [1, 1] }, errorStandardDeviation: 0.3 },
  ],
  methods: [
    ...CONSTANT.map((inflation) => ({ kind: 'letkf' as const, label: `${inflation}`, localisation, inflation })),
    ...ADAPTIVE.map((each) => ({
      kind: 'letkf' as const,
      label: labelOf(each),
      localisation,
      inflation: each.start,
      adaptation: { kind: each.kind, deviation: each.deviation },
    })),
  ],
  experiment: { cycles: CYCLES, window: 0.05 },
};

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('inflation that adapts itself, on Lorenz-96', () => {
  let rows: readonly CycleDiagnostics[] = [];
  const settled = (label: string) => rows.filter(({ method, cycle }) => method === label && cycle >= SETTLED);
  const errorOf = (label: string): number => mean(settled(label).map(({ rmse }) => rmse.analysis['x']));
  const factorOf = (label: string): number => mean(settled(label).map(({ inflation = Number.NaN }) => inflation));
  beforeAll(async () => {
    const backend = await backendNamed('wasm').open();
    const { experiment, diagnostics, runTo } = await twin(backend, scenarioOf(input));
    await runTo(CYCLES);
    rows = diagnostics;
    experiment.dispose();
    backend.dispose();
  });

  it.each(ADAPTIVE.map(labelOf))('settles where the tuned constant is: %s', (label) => {
    // The factor's own noise, √(K v_o/2) with v_o = 1.5 and K = 0.0067 (by the ratio v_o = 0.05, K = 0.03 and a slope of 0.4), is 0.07,
    // cut off at 1; over 300 cycles with a memory of 150 its mean is off by 0.05.
    expect(factorOf(label)).toBeGreaterThan(1);
    expect(factorOf(label)).toBeLessThan(1.16);
  });

  it.each(ADAPTIVE.map(labelOf))('has the error of the tuned constant, whatever it began with: %s', (label) => {
    const best = Math.min(...CONSTANT.map((inflation) => errorOf(`${inflation}`)));
    // Constants of 1.02 and 1.06 differ by 1 %, 1.12 costs 13 %.
    expect(errorOf(label) / best).toBeLessThan(1.13);
    expect(errorOf('1.3') / best).toBeGreaterThan(1.3);
  });

  it('is reported by cycle, and only of methods that have it', () => {
    const first = rows.find(({ method, cycle }) => method === 'innovations from 3' && cycle === 0);
    expect(first?.inflation).toBe(3);
    expect(rows.filter(({ method, inflation }) => method === '1.06' && inflation !== undefined)).toEqual([]);
  });
});
