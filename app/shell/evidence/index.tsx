/** The evidence: which method is better, why, and what it costs. Every chart follows what is selected anywhere. */
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { BranchTable } from '../../features/branches/branch-table.tsx';
import { betterCeilings } from '../../features/benchmarks/results.ts';
import { useRun } from '../../document/context.ts';
import { useLaboratory } from '../../page/context.ts';
import { Successive } from '../../controls/successive.tsx';
import { About } from '../../features/about/index.tsx';
import '../../figures/charts.css';
import { evidenceTabsIn } from '../../page/evidence-tabs.ts';
import type { EvidenceTab } from '../../page/evidence-tabs.ts';
import { Hovmoller } from '../../figures/hovmoller/index.tsx';
import { ConsistencyFigures } from '../../figures/consistency-figures.tsx';
import { DrawnFigure } from '../../figures/drawn-figure.tsx';
import { EVIDENCE_FIGURES } from '../../figures/registry.ts';
import { overlaidSpans } from '../../document/lines/overlaid.ts';
import { KernelBars } from '../../figures/kernel-bars.tsx';
import { MethodLegend, OverlaidLegend } from '../../figures/legends.tsx';
import { MinimisationChart } from '../../features/inside/minimisation-chart.tsx';
import { ProbeCharts } from '../../figures/probe-chart.tsx';
import { isSpinningUp, ResultsTable, SpinUpFigure } from './results-table.tsx';
import { countedCycles } from '../../document/views/series.ts';
import { Tabs } from './tabs.tsx';
import { XrayTab } from '../../features/x-ray/xray-tab.tsx';
import { chartsOf } from '../../figures/chart-state.ts';
import { benchmarkPageOf } from '../../features/benchmarks/benchmarks-state.ts';

/** Whose charts other runs are drawn over. */
const OVERLAID_TABS: ReadonlySet<EvidenceTab> = new Set(['errors', 'observations', 'consistency', 'minimiser']);

export function EvidencePanel() {
  const { evidenceTab } = useLaboratory().evidence;
  const {
    course: { styles },
    view: { world },
  } = useRun();
  const { furtherStyles } = chartsOf(useRun());
  const tabs = evidenceTabsIn(world.value);
  const chosen = tabs.find(({ id }) => id === evidenceTab.value)?.id ?? tabs[0].id;
  return (
    <div class="evidence">
      <About />
      <Tabs
        label="Evidence"
        tabs={tabs}
        chosen={chosen}
        onChoose={(id) => {
          evidenceTab.value = id;
        }}
      >
        {chosen !== 'speed' && <MethodLegend styles={[...styles.value, ...furtherStyles.value]} />}
        {OVERLAID_TABS.has(chosen) && <OverlaidLegend />}
        <Section tab={chosen} />
      </Tabs>
    </div>
  );
}

function Section({ tab }: { readonly tab: EvidenceTab }) {
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
    view: { hiddenMethods, probes },
    branches,
  } = useRun();
  const { overlaid, overlaidNote } = chartsOf(useRun());
  // The same array as long as nothing in it changes: figures are computed again for another one.
  const shown = useMemo(
    () => styles.value.filter(({ label }) => !hiddenMethods.value.has(label)),
    [styles.value, hiddenMethods.value],
  );
  const given = { styles: shown, diagnostics: diagnostics.value };
  const scenario = info.value?.scenario;
  const spinup = scenario?.experiment.spinup ?? 0;
  const counted = countedCycles(cycle.value, spinup, cycleDomain.value);
  /** What is not drawn from data alone, by its figure. */
  const componentOf = (id: string): ComponentChildren => {
    if (id === 'branches') return <BranchTable key={id} />;
    if (id === 'consistency') return <ConsistencyFigures key={id} {...given} scenario={scenario} />;
    if (id !== 'methods') throw new RangeError(`figure ${id} has neither data nor a component`);
    return isSpinningUp(spinup, lastCycle.value, plannedCycles.value) ? (
      <SpinUpFigure key={id} spinup={spinup} lastCycle={lastCycle.value} />
    ) : (
      <ResultsTable
        key={id}
        styles={styles.value}
        methods={info.value?.methods ?? []}
        diagnostics={diagnostics.value}
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
            {EVIDENCE_FIGURES[tab].map((figure) =>
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
