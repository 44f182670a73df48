/** Which views carry a colour bar. */
import { fieldOf } from '../state/fields.ts';
import type { StageLook } from '../state/view-state.ts';
import type { DrawnView } from './stage-model.ts';

/** @returns views that need a bar of their own: the last of those with one field and one range */
export function barredViews<View extends Pick<DrawnView, 'field' | 'range'>>(
  views: readonly View[],
  look: StageLook,
): readonly View[] {
  return views.filter(({ field, range }, n) => {
    // Water that looks like water has no colours to be read.
    if (look === 'photoreal' && fieldOf(field).isWater) return false;
    const later = views.slice(n + 1).filter((other) => other.field === field);
    return !later.some((other) => other.range.from === range.from && other.range.to === range.to);
  });
}
