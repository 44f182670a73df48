/** The one number of a view: how wrong the method is now in what the view shows. */
import type { CycleDiagnostics } from '../../../engine/index.ts';
import { formatMeasured } from '../../format/numbers.ts';
import { unitOf } from './series.ts';
import { fieldOf, type ViewFieldId } from '../../fields/fields.ts';
import type { Phase } from './view-state.ts';

export interface ViewScore {
  /** `RMSE`; with the variables' names where it is not h: `RMSE of hu, hv`. */
  readonly title: string;
  /** With its unit. */
  readonly text: string;
}

/**
 * @param compared variables that the charts show: a score of others names its own
 * @returns the score of a method's view in a cycle; undefined if there is none
 */
export function viewScore(
  row: CycleDiagnostics | undefined,
  field: ViewFieldId,
  phase: Phase,
  compared: readonly string[] = ['h'],
): ViewScore | undefined {
  const rmse = row?.rmse[phase];
  if (rmse === undefined) return undefined;
  const scoredBy = Object.hasOwn(rmse, 'x') ? ['x'] : fieldOf(field).scoredBy;
  const names = scoredBy.filter((name) => Object.hasOwn(rmse, name));
  const [only] = names;
  if (only === undefined) return undefined;
  const size = Math.hypot(...names.map((name) => rmse[name]));
  return {
    title:
      names.length === 1 && (only === 'x' || (only === 'h' && compared.includes('h')))
        ? 'RMSE'
        : `RMSE of ${names.join(', ')}`,
    text: `${formatMeasured(size)}\u00a0${unitOf(only)}`.trim(),
  };
}
