/** A small basin with land in it: what tests of dry cells run. */
import type { ScenarioInput } from '../../engine/index.ts';

export const ISLAND = { nx: 20, ny: 16 } as const;

/** An island that rises half a metre out of water one metre deep, and waves around it. */
export function islandScenario(members: number): Omit<ScenarioInput, 'observations' | 'methods' | 'experiment'> {
  const initial: NonNullable<ScenarioInput['background']>['initial'] = {
    kind: 'drops',
    count: 2,
    amplitude: [0.05, 0.2],
    width: 5,
  };
  return {
    version: 3,
    name: 'island',
    grid: { ...ISLAND },
    model: { scheme: 'central-upwind', bathymetry: { kind: 'bump', depth: 1, height: 1.5, width: 6 } },
    truth: { initial },
    background: { initial, members },
  };
}
