/** Which runs can continue from a checkpoint. */
import { describe, expect, it } from 'vitest';
import { fingerprintOf, isOwnCheckpoint } from '../../../engine/experiment/checkpoint.ts';
import { validateScenario } from '../../../engine/index.ts';
import type { Scenario } from '../../../engine/index.ts';

const backend = { name: 'reference', adapter: 'JavaScript' } as const;

function scenarioWith(changes: object): Scenario {
  const raw = {
    version: 3,
    name: 'kept',
    methods: [{ kind: '3dvar' }, { kind: 'letkf', localisation: { halfWidth: 2.5 } }],
    interventions: [{ cycle: 2, kind: 'setting', path: 'methods[1].localisation', value: { halfWidth: 3 } }],
  };
  return validateScenario({ ...raw, ...changes }, 'kept').scenario;
}

const scenario = scenarioWith({});
/** After the intervention, so that it has a part in the states. */
const kept = { cycle: 5, fingerprint: fingerprintOf(scenario, backend, 5) };
/** As version 2 of the scenario wrote it. */
const former = kept.fingerprint
  .replace('"version":3', '"version":2')
  .replaceAll('localisation', 'localization')
  .replaceAll('normalised', 'normalized');

describe('a checkpoint', () => {
  it('is of its scenario, whatever its words are', () => {
    expect(isOwnCheckpoint(kept, scenario, backend)).toBe(true);
    expect(isOwnCheckpoint(kept, scenarioWith({ title: 'Another title' }), backend)).toBe(true);
  });

  it('is of no other scenario, backend or cycle', () => {
    expect(isOwnCheckpoint(kept, scenarioWith({ seed: 2 }), backend)).toBe(false);
    expect(isOwnCheckpoint(kept, scenarioWith({ interventions: [] }), backend)).toBe(false);
    expect(isOwnCheckpoint(kept, scenario, { ...backend, name: 'webgpu' })).toBe(false);
    expect(isOwnCheckpoint({ ...kept, cycle: 1 }, scenario, backend)).toBe(false);
  });

  it('of a scenario of version 2 is that of the same scenario now', () => {
    expect(former).toContain('methods[1].localization');
    expect(former).toContain('normalized');
    expect(isOwnCheckpoint({ ...kept, fingerprint: former }, scenario, backend)).toBe(true);
    expect(isOwnCheckpoint({ ...kept, fingerprint: former }, scenarioWith({ seed: 2 }), backend)).toBe(false);
  });

  it.each(['', 'f', '5', '[]', '{}'])('with the fingerprint %j is of none', (fingerprint) => {
    expect(isOwnCheckpoint({ ...kept, fingerprint }, scenario, backend)).toBe(false);
  });
});
