/** Planes that are shown in place of a field, as tests make them. */
import type { ShownPlanes } from '../../../app/document/views/shown-planes.ts';

export function shownOf(planes: ShownPlanes['planes'], changes: Partial<ShownPlanes> = {}): ShownPlanes {
  return {
    title: 'Correlation with the point',
    symbol: 'ρ',
    unit: '1',
    scale: 'diverging',
    planes,
    lift: 'surface',
    marks: [],
    ...changes,
  };
}
