/** The evidence: which method is better, why, and what it costs. Every chart follows what is selected anywhere. */
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { BranchTable } from '../../features/branches/branch-comparison.tsx';
import { betterCeilings, benchmarkPageOf } from '../../features/benchmarks/benchmarks-state.ts';
import { useRun } from '../../document/context.ts';
import { useLaboratory } from '../../page/laboratory.ts';
import { Choice, Icon, Tabs } from '../../controls/buttons.tsx';
import { Successive } from '../../controls/successive.tsx';
import { About } from '../../features/about/index.tsx';
import '../../figures/figures.css';
import '../../figures/charts.css';
import '../../figures/tables.css';
import { evidenceTabsIn, type EvidenceTab } from '../../page/overlays.ts';
import { Hovmoller } from '../../figures/hovmoller/index.tsx';
import { ConsistencyFigures } from '../../figures/consistency-figures.tsx';
import { CURVES } from '../../figures/consistency-rows.ts';
import { FigurePlace } from '../../figures/figure.tsx';
import { OwnPlace } from '../../controls/own-place.tsx';
import { DrawnFigure } from '../../figures/drawn-figure.tsx';
import type { FigureEntry } from '../../figures/figure-data.ts';
import { EVIDENCE_FIGURES } from '../../figures/registry.ts';
import { overlaidSpans } from '../../document/lines/overlaid.ts';
import { KernelBars } from '../../figures/kernel-bars.tsx';
import { MethodLegend, OverlaidLegend } from '../../figures/figure-controls.tsx';
import { MinimisationChart } from '../../features/inside/minimisation-chart.tsx';
import { ProbeCharts } from '../../figures/probe-chart.tsx';
import { isSpinningUp, ResultsTable, SpinUpFigure } from './results-table.tsx';
import { countedCycles, type MethodDiagnostics } from '../../document/views/series.ts';
import { XrayTab } from '../../features/x-ray/xray-tab.tsx';
import { ImpactFigure } from '../../features/impact/impact-figure.tsx';
import { chartsOf } from '../../figures/chart-state.ts';
import { tabPanel, type OwnPanel } from '../../page/own-windows.ts';

export { evidenceCommands } from './evidence-commands.ts';

/** Whose charts other runs are drawn over. */
const OVERLAID_TABS: ReadonlySet<EvidenceTab> = new Set(['errors', 'observations', 'consistency', 'minimiser']);

const WITHHELD = 'The evidence is hidden until the question of the lesson is answered.';

export function EvidencePanel() {
  const { evidence, ownWindows } = useLaboratory();
  const { evidenceTab } = evidence;
  const { pointsAt, withheld, world } = useRun().view;
  const panel = useRef<HTMLDivElement>(null);
  // A step of a lesson that points here is about the first figure, unless one comes into view by itself.
  useEffect(() => {
    if (pointsAt.value.includes('evidence')) panel.current?.querySelector('[role=tabpanel]')?.scrollTo({ top: 0 });
  }, [pointsAt.value]);
  const tabs = evidenceTabsIn(world.value);
  const { id: chosen, title } = tabs.find(({ id }) => id === evidenceTab.value) ?? tabs[0];
  const own = tabPanel(chosen, title);
  if (withheld.value === 'results') return <p class="evidence-withheld">{WITHHELD}</p>;
  return (
    <div class="evidence" ref={panel} data-tab={chosen} data-pointed={pointsAt.value.includes('evidence')}>
      <About isWithheld={withheld.value !== 'nothing'} />
      <Tabs
        label="Evidence"
        tabs={tabs}
        chosen={chosen}
        onChoose={(id) => {
          evidenceTab.value = id;
        }}
      >
        {ownWindows.panels.value.has(own.id) ? <OwnPlace panel={own} /> : <Part tab={chosen} isPage />}
      </Tabs>
    </div>
  );
}

/** A part of the evidence in a window of its own, or one figure of it. */
export function OwnEvidence({ panel, tab }: { readonly panel: OwnPanel; readonly tab: EvidenceTab }) {
  const { bringBack } = useLaboratory().ownWindows;
  const { withheld } = useRun().view;
  return (
    <main class="evidence own-evidence" aria-label={panel.title} data-tab={tab}>
      {panel.figure === undefined && (
        <header class="panel-header">
          <h2>{panel.title}</h2>
          <button
            type="button"
            class="icon-button"
            aria-label={`${panel.title}: back to its place`}
            title="Back to its place"
            onClick={() => bringBack(panel.id)}
          >
            <Icon name="shrink" />
          </button>
        </header>
      )}
      <div class="tab-panel">
        {withheld.value === 'results' ? <p>{WITHHELD}</p> : <Part tab={tab} only={panel.figure} isPage={false} />}
        <p class="own-evidence-empty">There is nothing of it to show now.</p>
      </div>
    </main>
  );
}

interface PartProps {
  readonly tab: EvidenceTab;
  readonly only?: string | undefined;
  readonly isPage: boolean;
}

/** A part of the evidence with its legends. */
function Part({ tab, only, isPage }: PartProps) {
  const { styles } = useRun().course;
  const { furtherStyles } = chartsOf(useRun());
  const place = useMemo(() => ({ tab, only, isPage }), [tab, only, isPage]);
  return (
    <FigurePlace.Provider value={place}>
      {tab !== 'speed' && <MethodLegend styles={[...styles.value, ...furtherStyles.value]} />}
      {OVERLAID_TABS.has(tab) && <OverlaidLegend />}
      <Section tab={tab} />
    </FigurePlace.Provider>
  );
}

/** What a newcomer sees of the errors: the curves, and the table. */
const SIMPLE_FIGURES = new Set(['rmse', 'methods', 'branches']);

function figuresOf(tab: 'errors' | 'observations' | 'consistency', isFull: boolean): readonly FigureEntry[] {
  const figures = EVIDENCE_FIGURES[tab];
  // All curves behind the matrix of consistency would be several screens.
  if (tab === 'consistency') return figures.slice(0, 1);
  return isFull || tab !== 'errors' ? figures : figures.filter(({ id }) => SIMPLE_FIGURES.has(id));
}

type Drawn = Omit<Parameters<typeof DrawnFigure>[0], 'figure'>;

/** The matrix, and in it the curve behind the test that is open. */
function Consistency(given: Drawn) {
  const { consistencyCurve } = chartsOf(useRun());
  const curves = [...EVIDENCE_FIGURES.consistency, ...EVIDENCE_FIGURES.observations];
  const figure = curves.find(({ id }) => id === consistencyCurve.value);
  return (
    <ConsistencyFigures {...given}>
      <p class="consistency-curve">
        Curve
        <Choice
          label="Curve of consistency"
          value={consistencyCurve.value}
          options={[{ value: '', label: 'None' }, ...CURVES]}
          onChange={(curve) => {
            consistencyCurve.value = curve;
          }}
        />
      </p>
      {figure && <DrawnFigure key={figure.id} figure={figure} {...given} />}
    </ConsistencyFigures>
  );
}

/** @returns the rows of the cycles up to one */
function upTo(
  diagnostics: ReadonlyMap<string, MethodDiagnostics>,
  last: number,
): ReadonlyMap<string, MethodDiagnostics> {
  return new Map([...diagnostics].map(([label, rows]) => [label, rows.filter(({ cycle }) => cycle <= last)]));
}

function Section({ tab }: { readonly tab: EvidenceTab }) {
  const { full } = useLaboratory().preferences;
  const { results } = benchmarkPageOf(useLaboratory());
  const {
    course: {
      styles,
      diagnostics,
      info,
      cycle,
      cycleDomain,
      lastCycle,
      plannedCycles,
      snapshots,
      probeReadings,
      kernels,
      work,
      ceilings,
    },
    view: { hiddenMethods, probes, withheld },
    branches,
  } = useRun();
  const { overlaid, overlaidNote } = chartsOf(useRun());
  // The same array as long as nothing in it changes: figures are computed again for another one.
  const shown = useMemo(
    () => styles.value.filter(({ label }) => !hiddenMethods.value.has(label)),
    [styles.value, hiddenMethods.value],
  );
  const last = withheld.value === 'later' ? cycle.value : undefined;
  const known = useMemo(
    () => (last === undefined ? diagnostics.value : upTo(diagnostics.value, last)),
    [diagnostics.value, last],
  );
  const given = { styles: shown, diagnostics: known };
  const scenario = info.value?.scenario;
  const spinup = scenario?.experiment.spinup ?? 0;
  const counted = countedCycles(cycle.value, spinup, cycleDomain.value);
  /** What is not drawn from data alone, by its figure. */
  const componentOf = (id: string): ComponentChildren => {
    if (id === 'branches') return <BranchTable key={id} />;
    if (id === 'impact') return <ImpactFigure key={id} styles={shown} />;
    if (id === 'consistency') {
      return <Consistency key={id} {...given} {...counted} scenario={scenario} basin={info.value?.basin} />;
    }
    if (id !== 'methods') throw new RangeError(`figure ${id} has neither data nor a component`);
    return isSpinningUp(spinup, lastCycle.value, plannedCycles.value) ? (
      <SpinUpFigure key={id} spinup={spinup} lastCycle={lastCycle.value} />
    ) : (
      <ResultsTable
        key={id}
        styles={styles.value}
        methods={info.value?.methods ?? []}
        diagnostics={known}
        spinup={spinup <= lastCycle.value ? spinup : 0}
        scenario={scenario}
      />
    );
  };
  switch (tab) {
    case 'errors':
    case 'observations':
    case 'consistency': {
      const spans = overlaidSpans(overlaid.value, counted.from, counted.to);
      const words = tab === 'consistency' ? [overlaidNote.value, spans].filter(Boolean).join(' ') : '';
      return (
        <>
          {words && <p class="overlaid-note">{words}</p>}
          <Successive key={tab}>
            {figuresOf(tab, full.value).map((figure) =>
              figure.inWindow ? (
                <DrawnFigure
                  key={figure.id}
                  figure={figure}
                  {...given}
                  {...counted}
                  scenario={scenario}
                  basin={info.value?.basin}
                />
              ) : (
                componentOf(figure.id)
              ),
            )}
          </Successive>
        </>
      );
    }
    case 'minimiser':
      return <MinimisationChart {...given} cycle={cycle.value} />;
    case 'probes':
      return (
        <ProbeCharts
          styles={shown}
          probes={probes.value}
          snapshots={snapshots.value}
          basin={info.value?.basin}
          recorded={probeReadings.value}
        />
      );
    case 'xray':
      return <XrayTab styles={shown} />;
    case 'hovmoller':
      return info.value && <Hovmoller styles={shown} snapshots={branches.stored.value} basin={info.value.basin} />;
    case 'speed':
      return (
        <KernelBars
          kernels={kernels.value}
          ceilings={
            kernels.value.isRestored
              ? ceilings.value
              : betterCeilings(ceilings.value, results.value, info.value?.backend.name ?? '')
          }
          work={work.value}
          threads={info.value?.backend.threads}
          cycle={cycle.value}
        />
      );
    default:
      return tab satisfies never;
  }
}
