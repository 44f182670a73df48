import { describe, expect, it } from 'vitest';
import {
  differencesBetween,
  differenceText,
  shortName,
  sameRun,
  sameSettings,
} from '../../../../app/features/runs/differences.ts';
import { scenarioOf } from '../../document/run/fake-run.ts';
import { keptRun } from './kept.ts';

const METHODS = [
  { kind: 'free-run' },
  { kind: 'letkf', inflation: 1.1, localisation: { halfWidth: 4 } },
  { kind: '3dvar', label: 'smooth' },
];
const BASE = keptRun(1, { scenario: scenarioOf(20, { methods: METHODS }) });

function withMethods(methods: readonly object[], more: Readonly<Record<string, unknown>> = {}) {
  return keptRun(2, { scenario: scenarioOf(20, { methods, ...more }) });
}

const textsOf = (run: ReturnType<typeof keptRun>): readonly string[] =>
  differencesBetween(BASE, run).map(differenceText);

describe('what differs between runs', () => {
  it('is described by titles, with units, methods by their names whatever their order', () => {
    const run = withMethods([METHODS[2], { ...METHODS[1], localisation: { halfWidth: 8 } }, METHODS[0]]);
    expect(textsOf(run)).toEqual(['LETKF › Localisation › Half-width 4 → 8 m']);
    expect(textsOf(withMethods(METHODS, { grid: { nx: 4, ny: 4, dx: 20, dy: 10 } }))).toEqual([
      'Grid › Cell size along x 10 → 20 m',
    ]);
  });

  it('names methods that one of them has alone, the seed, the backend, and what was changed on the way', () => {
    const run = {
      ...withMethods(METHODS.slice(0, 2), {
        seed: 9,
        interventions: [{ kind: 'setting', cycle: 3, path: 'methods[1].inflation', value: 2 }],
      }),
      backend: { name: 'webgpu', adapter: 'a card' },
    };
    expect(textsOf(run)).toEqual([
      `Seed ${BASE.scenario.seed} → 9`,
      'Changed while it ran nothing → cycle 3: letkf: inflation 1.1 → 2',
      'smooth there → not there',
      'Computed by wasm → webgpu',
    ]);
  });

  it('is nothing where only words differ, but for the title of the scenario', () => {
    const run = withMethods(METHODS, { title: 'Other', description: 'Something else' });
    expect(textsOf(run)).toEqual(['Scenario Small → Other']);
  });

  it('is what a run is called in a chart, where it is one thing and short', () => {
    const wider = withMethods([METHODS[0], { ...METHODS[1], localisation: { halfWidth: 8 } }, METHODS[2]]);
    expect(shortName(wider, BASE)).toBe('Half-width 8 m');
    expect(shortName({ ...wider, name: 'tuned' }, BASE)).toBe('tuned');
    expect(shortName(withMethods(METHODS, { seed: 9 }), BASE)).toBe('Seed 9');
    expect(shortName(withMethods(METHODS.slice(0, 1), { seed: 9 }), BASE)).toBe('Run 2');
    expect(shortName(wider, undefined)).toBe('Run 2');
  });
});

describe('the same run', () => {
  const late = { kind: 'setting', cycle: 20, path: 'methods[1].inflation', value: 2 };

  it('may be called otherwise, and changed after its end; its seed, files and place are its own', () => {
    expect(sameRun(BASE, withMethods(METHODS, { title: 'Other', interventions: [late] }))).toBe(true);
    expect(sameRun(BASE, withMethods(METHODS, { interventions: [{ ...late, cycle: 19 }] }))).toBe(false);
    expect(sameRun(BASE, withMethods(METHODS, { seed: 9 }))).toBe(false);
    expect(sameSettings(BASE, withMethods(METHODS, { seed: 9 }))).toBe(true);
    expect(sameRun(BASE, { ...BASE, backend: { name: 'wasm', adapter: 'another' } })).toBe(false);
    expect(sameSettings(BASE, { ...BASE, backend: { name: 'webgpu', adapter: 'test' } })).toBe(false);
    expect(sameRun(BASE, { ...BASE, versions: { shoal: '2.0.0' } })).toBe(false);
    const file = (byte: number) => ({ ...BASE, files: { 'bed.npy': new Uint8Array([byte]) } });
    expect(sameRun(file(1), file(1))).toBe(true);
    expect(sameRun(file(1), file(2))).toBe(false);
    expect(sameRun(file(1), BASE)).toBe(false);
    expect(sameRun(BASE, file(1))).toBe(false);
  });
});
