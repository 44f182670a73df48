/**
 * Whether a method's own idea of its errors agrees with its errors, and what its analyses do to the water: figures over the
 * cycles after the spin-up, each with its uncertainty, what good looks like, and what it would say if it were not.
 */
import type { CycleDiagnostics } from '../experiment/index.ts';
import { methodDefinition } from '../methods/index.ts';
import { comparedVariables, scenarioAt, type Scenario } from '../scenario/index.ts';
import { departureFigures, ensembleFigures } from './ensemble.ts';
import { dynamicFigures } from './dynamics.ts';
import type { ConsistencyFigure } from './figure.ts';

export { spectralOctaves } from '../operators/consistency/index.ts';
export { NEARLY, crpsParts, meanSpectra, spreadSkillPoints } from './figure.ts';
export type { ConsistencyFigure, ConsistencyGroup, ConsistencyVerdict } from './figure.ts';

export interface MethodConsistency {
  readonly label: string;
  /** In the order in which they are looked at; without those that there is nothing to measure for. */
  readonly figures: readonly ConsistencyFigure[];
}

/**
 * @param rows of one run, of each method in the order of its cycles
 * @param scenario of the run
 * @returns of each method of the scenario that has rows, over the cycles after the spin-up, or over all if none is after it
 */
export function consistencyOf(rows: readonly CycleDiagnostics[], scenario: Scenario): readonly MethodConsistency[] {
  const compared = comparedVariables(scenario);
  const { spinup } = scenarioAt(scenario, Infinity).experiment;
  return scenario.methods.flatMap(({ label, kind }): MethodConsistency[] => {
    const all = rows.filter(({ method }) => method === label);
    if (all.length === 0) return [];
    const after = all.filter(({ cycle }) => cycle >= spinup);
    const counted = after.length > 0 ? after : all;
    const { carries, assimilates } = methodDefinition(kind);
    const hasSpread = carries === 'ensemble';
    return [
      {
        label,
        figures: [
          ...(assimilates ? departureFigures(counted) : []),
          ...(hasSpread ? ensembleFigures(counted, compared) : []),
          ...dynamicFigures(counted, { hasSpread, assimilates }),
        ],
      },
    ];
  });
}
