/** The parts of the evidence, and which of them is on screen. */
import { signal } from '@preact/signals';
import type { EvidencePart } from '../../engine/index.ts';
import type { World } from '../fields/fields.ts';

export type EvidenceTab = EvidencePart;

export const EVIDENCE_TABS = [
  { id: 'errors', title: 'Errors' },
  { id: 'observations', title: 'Innovations' },
  { id: 'consistency', title: 'Consistency' },
  { id: 'minimiser', title: '3D-Var' },
  { id: 'probes', title: 'Probes' },
  { id: 'xray', title: 'X-ray' },
  { id: 'hovmoller', title: 'Hovmöller' },
  { id: 'speed', title: 'Speed' },
] as const satisfies readonly { readonly id: EvidenceTab; readonly title: string }[];

/** @returns the parts that there are of a basin, or of a ring */
export function evidenceTabsIn(world: World): readonly (typeof EVIDENCE_TABS)[number][] {
  return EVIDENCE_TABS.filter(({ id }) => id !== 'hovmoller' || world?.isRing);
}

/** Which part of the evidence one page shows. */
export function createEvidence() {
  const evidenceTab = signal<EvidenceTab>('errors');
  return { evidenceTab };
}
