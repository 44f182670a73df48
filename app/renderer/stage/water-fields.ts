/** Fields whose surface may be drawn as real water: of the others only the colours speak. */
import type { FieldId } from '../state/fields.ts';

export const WATER_FIELDS: ReadonlySet<FieldId> = new Set(['surface', 'depth', 'speed']);
