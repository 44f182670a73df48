/** The impacts of all observations of a cycle as a table. */
import type { ObservationImpact } from '../../engine/index.ts';
import type { DataTable } from './csv.ts';

/**
 * @param impacts of the methods, by what they are called: all of one cycle
 * @param networks what the networks are called, by the index that observations have
 */
export function impactTable(
  impacts: readonly { readonly title: string; readonly impact: ObservationImpact }[],
  networks: readonly string[],
): DataTable {
  const [first] = impacts;
  const { x, y, variable, network } = first.impact.observations;
  const { unit } = first.impact;
  return {
    columns: [
      'observation',
      'network',
      'variable',
      'x (cells)',
      'y (cells)',
      ...impacts.flatMap(({ title }) => [`${title}: innovation`, `${title}: impact${unit === '' ? '' : ` (${unit})`}`]),
    ],
    rows: variable.map((name, j) => [
      j,
      networks[network[j]] ?? null,
      name,
      x[j],
      y[j],
      ...impacts.flatMap(({ impact }) =>
        impact.observations.isUsed[j] ? [impact.observations.innovation[j], impact.impacts[j]] : [null, null],
      ),
    ]),
  };
}
