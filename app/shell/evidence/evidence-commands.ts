/** Commands of the evidence: its parts and figures, where they are shown, and the way into a minimisation. */
import { chartsOf } from '../../figures/chart-state.ts';
import { CURVES } from '../../figures/consistency-rows.ts';
import { EVIDENCE_FIGURES } from '../../figures/registry.ts';
import { insideOf } from '../../features/inside/inside.ts';
import type { Command } from '../../page/commands.ts';
import { EVIDENCE_TABS, evidenceTabsIn, type EvidenceTab } from '../../page/overlays.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import { figurePanel, tabPanel, type OwnPanel } from '../../page/own-windows.ts';
import { whenDrawn } from '../../page/render-pace.ts';
import type { RunView } from '../../document/run-view.ts';

/** The figures that have a command, and where they are. */
const FIGURES = EVIDENCE_TABS.flatMap(({ id: tab }) =>
  EVIDENCE_FIGURES[tab].flatMap(({ id, name, words }) => (name === undefined ? [] : [{ id, tab, name, words }])),
);

const OWN_WORDS = 'detach separate pop out second screen monitor projector';

function focusFigure(figure: HTMLElement): void {
  figure.scrollIntoView({ block: 'start' });
  figure.querySelector<HTMLElement>('[role=slider], button')?.focus({ preventScroll: true });
}

/** Opens the evidence at a tab, and goes to a figure once it is drawn. */
function showEvidence({ evidence, frame, ownWindows }: Laboratory, tab: EvidenceTab, figure?: string): void {
  if (figure !== undefined && ownWindows.focus(figurePanel(tab, figure, '').id)) return;
  frame.showPanel('evidence');
  evidence.evidenceTab.value = tab;
  if (figure === undefined) return;
  // Figures appear one after another.
  whenDrawn(
    () => document.querySelector<HTMLElement>(`[data-figure=${figure}]`),
    focusFigure,
    () => evidence.evidenceTab.peek() === tab,
  );
}

/** The minimisation of the cycle on screen that the charts show; undefined if there was none. */
function minimisedNow(run: RunView) {
  const { currentDiagnostics } = run.course;
  const { minimisedMethod } = chartsOf(run);
  const rows = [...currentDiagnostics.value.values()].filter(({ minimisation }) => minimisation !== undefined);
  const row = rows.find(({ method }) => method === minimisedMethod.value) ?? rows[0];
  return (
    row?.minimisation && {
      subject: { method: row.method, cycle: row.cycle },
      iterations: row.minimisation.iterations,
    }
  );
}

/** A command for each tab and each figure, and the way into a minimisation. */
export function evidenceCommands(laboratory: Laboratory, run: RunView): readonly Command[] {
  const { cycleDomain } = run.course;
  const { pinnedCycle, world } = run.view;
  const {
    evidence: { evidenceTab },
    ownWindows: { panels, bringAllBack, detach, toggle },
    preferences: { density },
  } = laboratory;
  const isThere = (tab: EvidenceTab): boolean => evidenceTabsIn(world.value).some(({ id }) => id === tab);
  const panelNow = (): OwnPanel => {
    const tabs = evidenceTabsIn(world.value);
    const { id, title } = tabs.find((tab) => tab.id === evidenceTab.value) ?? tabs[0];
    return tabPanel(id, title);
  };
  return [
    ...EVIDENCE_TABS.map(({ id, title, keywords }) => ({
      id: `evidence.${id}`,
      group: 'Evidence' as const,
      title: `Evidence: ${title}`,
      keywords,
      enabled: () => isThere(id),
      run: () => showEvidence(laboratory, id),
    })),
    {
      id: 'evidence.own-window',
      group: 'Evidence',
      title: 'This part of the evidence in its own window',
      shortcuts: ['Mod+Shift+E'],
      keywords: OWN_WORDS,
      enabled: () => density.value === 'researcher',
      checked: () => panels.value.has(panelNow().id),
      run: () => toggle(panelNow()),
    },
    {
      id: 'view.no-own-windows',
      group: 'View',
      title: 'Bring all panels back into this window',
      keywords: OWN_WORDS,
      enabled: () => panels.value.size > 0,
      run: bringAllBack,
    },
    ...FIGURES.map(({ id, tab, name, words }) => ({
      id: `evidence.own-figure-${id}`,
      group: 'Evidence' as const,
      title: `Chart in its own window: ${name}`,
      keywords: [words, OWN_WORDS].join(' '),
      enabled: () => density.value === 'researcher' && isThere(tab) && tab !== 'consistency',
      run: () => void detach(figurePanel(tab, id, name)),
    })),
    ...FIGURES.map(({ id, tab, name, words }) => ({
      id: `evidence.figure-${id}`,
      group: 'Evidence' as const,
      title: `Chart: ${name}`,
      ...(words !== undefined && { keywords: words }),
      enabled: () => isThere(tab),
      run: () => {
        const curve = CURVES.find(({ value }) => value === id);
        if (tab === 'consistency' && curve) chartsOf(run).consistencyCurve.value = curve.value;
        showEvidence(laboratory, tab, id);
      },
    })),
    {
      id: 'evidence.look-inside',
      group: 'Evidence',
      title: 'Look inside the minimisation: its increment by iteration',
      keywords: '3D-Var 4D-Var conjugate gradients preconditioning ritz lanczos',
      enabled: () => minimisedNow(run) !== undefined,
      async run() {
        const found = minimisedNow(run);
        if (!found) return;
        showEvidence(laboratory, 'minimiser');
        await insideOf(run).open(found.subject, found.iterations);
      },
    },
    {
      id: 'evidence.unpin-cursor',
      group: 'Evidence',
      title: 'Unpin the cursor of the charts',
      keywords: 'crosshair line',
      enabled: () => pinnedCycle.value !== undefined,
      run: () => {
        pinnedCycle.value = undefined;
      },
    },
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
  ];
}
