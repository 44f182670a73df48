/** The parts of the evidence, which of them is on screen, and the commands that go there. */
import { signal } from '@preact/signals';
import { frameSizes, showOrHidePanel } from '../state/frame-sizes.ts';
import { registerCommands } from '../state/commands.ts';
import { cycleDomain } from '../state/session-state.ts';

export type EvidenceTab = 'errors' | 'observations' | 'minimiser' | 'probes' | 'speed';

export const EVIDENCE_TABS = [
  { id: 'errors', title: 'Errors' },
  { id: 'observations', title: 'Innovations' },
  { id: 'minimiser', title: '3D-Var' },
  { id: 'probes', title: 'Probes' },
  { id: 'speed', title: 'Speed' },
] as const satisfies readonly { readonly id: EvidenceTab; readonly title: string }[];

const KEYWORDS: Readonly<Record<EvidenceTab, string>> = {
  errors: 'rmse spread table skill spectrum rank histogram',
  observations: 'chi square quality control',
  minimiser: 'minimisation cost residual condition ritz',
  probes: 'time series point members',
  speed: 'kernel times milliseconds bandwidth flops',
};

export const evidenceTab = signal<EvidenceTab>('errors');

registerCommands([
  ...EVIDENCE_TABS.map(({ id, title }) => ({
    id: `evidence.${id}`,
    group: 'Evidence' as const,
    title: `Evidence: ${title}`,
    keywords: KEYWORDS[id],
    run: () => {
      if (frameSizes.value.evidence === undefined) showOrHidePanel('evidence');
      evidenceTab.value = id;
    },
  })),
  {
    id: 'evidence.all-cycles',
    group: 'Evidence',
    title: 'Show all cycles in the charts',
    keywords: 'zoom out reset',
    enabled: () => cycleDomain.value !== undefined,
    run: () => {
      cycleDomain.value = undefined;
    },
  },
]);
