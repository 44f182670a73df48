/** The parts of the evidence, and which of them is on screen. */
import { signal } from '@preact/signals';
import type { EvidencePart } from '../../../engine/index.ts';

export type EvidenceTab = EvidencePart;

export const EVIDENCE_TABS = [
  { id: 'errors', title: 'Errors' },
  { id: 'observations', title: 'Innovations' },
  { id: 'minimiser', title: '3D-Var' },
  { id: 'probes', title: 'Probes' },
  { id: 'xray', title: 'X-ray' },
  { id: 'speed', title: 'Speed' },
] as const satisfies readonly { readonly id: EvidenceTab; readonly title: string }[];

/** Which part of the evidence one page shows. */
export function createEvidence() {
  const evidenceTab = signal<EvidenceTab>('errors');
  return { evidenceTab };
}
