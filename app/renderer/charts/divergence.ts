/** Which methods left the run, and when: as the run told it, so that a gap in what is stored is not taken for an end. */
import { computed } from '@preact/signals';
import { divergences } from '../state/session-state.ts';

/** By method label the cycle in which it diverged. */
export const divergedMethods = computed<ReadonlyMap<string, number>>(
  () => new Map(divergences.value.map(({ method, cycle }) => [method, cycle])),
);
