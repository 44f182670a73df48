/** The commands that go to a part of the evidence, or to a figure in it. */
import type { Command } from '../../page/commands.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import type { RunView } from '../../document/run-view.ts';
import { EVIDENCE_TABS, evidenceTabsIn } from '../../page/evidence-tabs.ts';
import type { EvidenceTab } from '../../page/evidence-tabs.ts';
import { insideOf } from '../../features/inside/inside.ts';
import { chartsOf } from '../../figures/chart-state.ts';

const KEYWORDS: Readonly<Record<EvidenceTab, string>> = {
  errors: 'rmse spread table skill spectrum rank histogram',
  observations: 'chi square quality control',
  consistency: 'desroziers chi square crps reliability spread skill energy mass enstrophy imbalance',
  minimiser: 'minimisation cost residual condition ritz',
  probes: 'time series point members',
  hovmoller: 'ring time space waves',
  xray: 'why explain observation gain likelihood bayes weights influence degrees of freedom',
  speed: 'kernel times milliseconds bandwidth flops',
};

/** The figures by name, and where they are; `id` is the figure's. */
const FIGURES: readonly {
  readonly id: string;
  readonly tab: EvidenceTab;
  readonly title: string;
  readonly words: string;
}[] = [
  { id: 'rmse', tab: 'errors', title: 'Error and spread', words: 'rmse curves' },
  { id: 'methods', tab: 'errors', title: 'Table of the methods', words: 'skill results csv' },
  { id: 'spectrum', tab: 'errors', title: 'Error spectrum', words: 'wavenumber power scale' },
  { id: 'ranks', tab: 'errors', title: 'Rank histogram', words: 'talagrand reliability' },
  { id: 'innovations', tab: 'observations', title: 'Innovations', words: 'chi square quality control departures' },
  { id: 'consistency', tab: 'consistency', title: 'Consistency', words: 'desroziers reliability balance budgets' },
  { id: 'spread-skill', tab: 'consistency', title: 'Spread and error', words: 'skill bins reliability ensemble' },
  { id: 'octaves', tab: 'consistency', title: 'Scales of errors and spread', words: 'spectrum wavelength increment' },
  { id: 'score', tab: 'consistency', title: 'CRPS and its parts', words: 'reliability resolution uncertainty score' },
  { id: 'budgets', tab: 'consistency', title: 'Budgets', words: 'mass energy potential enstrophy' },
  { id: 'imbalance', tab: 'consistency', title: 'Imbalance', words: 'tendency ageostrophic waves balance' },
  { id: 'minimisation', tab: 'minimiser', title: 'Minimisation', words: 'cost residual ritz condition 3d-var' },
  { id: 'hovmoller', tab: 'hovmoller', title: 'Hovmöller plot', words: 'ring time space waves' },
  { id: 'bayes', tab: 'xray', title: 'One observation', words: 'prior likelihood posterior gain bayes' },
  { id: 'weights', tab: 'xray', title: 'Weights of the members', words: 'letkf transform degrees of freedom' },
  { id: 'influence', tab: 'xray', title: 'Influence of the observations', words: 'contribution increment gain' },
  { id: 'kernels', tab: 'speed', title: 'Kernel times', words: 'milliseconds bandwidth flops' },
];

/** Between two looks for a figure, milliseconds, and how many there are: figures appear one after another. */
const LOOK_MS = 50;
const MOST_LOOKS = 100;

/** Moves the focus to a figure as soon as it is in the page. @param isWanted whether it still is what users asked for last */
function goToFigure(figure: string, isWanted: () => boolean, looks = MOST_LOOKS): void {
  if (!isWanted()) return;
  const found = document.querySelector<HTMLElement>(`[data-figure=${figure}]`);
  if (!found) {
    if (looks > 0) setTimeout(() => goToFigure(figure, isWanted, looks - 1), LOOK_MS);
    return;
  }
  found.scrollIntoView({ block: 'start' });
  found.querySelector<HTMLElement>('[role=slider], button')?.focus({ preventScroll: true });
}

/** Opens the evidence at a tab, and goes to a figure once it is drawn. */
function showEvidence({ evidence, frame }: Laboratory, tab: EvidenceTab, figure?: string): void {
  frame.showPanel('evidence');
  evidence.evidenceTab.value = tab;
  if (figure !== undefined) setTimeout(() => goToFigure(figure, () => evidence.evidenceTab.peek() === tab), LOOK_MS);
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
  const { world } = run.view;
  const isThere = (tab: EvidenceTab): boolean => evidenceTabsIn(world.value).some(({ id }) => id === tab);
  return [
    ...EVIDENCE_TABS.map(({ id, title }) => ({
      id: `evidence.${id}`,
      group: 'Evidence' as const,
      title: `Evidence: ${title}`,
      keywords: KEYWORDS[id],
      enabled: () => isThere(id),
      run: () => showEvidence(laboratory, id),
    })),
    ...FIGURES.map(({ id, tab, title, words }) => ({
      id: `evidence.figure-${id}`,
      group: 'Evidence' as const,
      title: `Chart: ${title}`,
      keywords: words,
      enabled: () => isThere(tab),
      run: () => showEvidence(laboratory, tab, id),
    })),
    {
      id: 'evidence.look-inside',
      group: 'Evidence',
      title: 'Look inside 3D-Var: its increment by iteration',
      keywords: 'minimisation conjugate gradients preconditioning ritz lanczos',
      enabled: () => minimisedNow(run) !== undefined,
      async run() {
        const found = minimisedNow(run);
        if (!found) return;
        showEvidence(laboratory, 'minimiser');
        await insideOf(run).open(found.subject, found.iterations);
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
