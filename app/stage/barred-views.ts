/** Which views carry a colour bar. */
import { fieldOf } from '../fields/fields.ts';
import type { StageLook } from '../document/views/view-state.ts';
import type { FieldWords } from '../document/views/shown-planes.ts';
import type { DrawnView } from './stage-model.ts';

/** Whether one bar can serve both: numbers of one quantity in the same colours. */
function isAlike(a: FieldWords, b: FieldWords): boolean {
  return a.symbol === b.symbol && a.unit === b.unit && a.colourMap === b.colourMap;
}

/** @returns views that need a bar of their own: the last of those with one quantity and one range */
export function barredViews<View extends Pick<DrawnView, 'field' | 'range' | 'words'>>(
  views: readonly View[],
  look: StageLook,
): readonly View[] {
  return views.filter(({ field, range, words }, n) => {
    // Water that looks like water has no colours to be read.
    if (look === 'photoreal' && fieldOf(field).isWater) return false;
    const later = views.slice(n + 1).filter((other) => isAlike(other.words, words));
    return !later.some((other) => other.range.from === range.from && other.range.to === range.to);
  });
}
