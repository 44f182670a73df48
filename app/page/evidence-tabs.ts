/** The parts of the evidence, with words that find them, and which of them is on screen. */
import { signal } from '@preact/signals';
import type { EvidencePart } from '../../engine/index.ts';
import type { World } from '../fields/fields.ts';

export type EvidenceTab = EvidencePart;

export const EVIDENCE_TABS = [
  { id: 'errors', title: 'Errors', keywords: 'rmse spread table skill spectrum rank histogram' },
  { id: 'observations', title: 'Innovations', keywords: 'chi square quality control' },
  {
    id: 'consistency',
    title: 'Consistency',
    keywords: 'desroziers chi square crps reliability spread skill energy mass enstrophy imbalance',
  },
  { id: 'minimiser', title: 'Cost', keywords: '3D-Var 4D-Var hybrid 4DEnVar minimisation residual condition ritz' },
  { id: 'probes', title: 'Probes', keywords: 'time series point members' },
  {
    id: 'xray',
    title: 'X-ray',
    keywords: 'why explain observation gain likelihood bayes weights influence degrees of freedom',
  },
  { id: 'hovmoller', title: 'Hovmöller', keywords: 'ring time space waves' },
  { id: 'speed', title: 'Speed', keywords: 'kernel times milliseconds bandwidth flops' },
] as const satisfies readonly { readonly id: EvidenceTab; readonly title: string; readonly keywords: string }[];

/** @returns the parts that there are of a basin, or of a ring */
export function evidenceTabsIn(world: World): readonly (typeof EVIDENCE_TABS)[number][] {
  return EVIDENCE_TABS.filter(({ id }) => id !== 'hovmoller' || world?.isRing);
}

/** Which part of the evidence one page shows. */
export function createEvidence() {
  const evidenceTab = signal<EvidenceTab>('errors');
  return { evidenceTab };
}
