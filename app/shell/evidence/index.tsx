/** The evidence: which method is better, why, and what it costs. Every chart follows what is selected anywhere. */
import { useMemo } from 'preact/hooks';
import { BranchTable } from '../../features/branches/branch-table.tsx';
import { betterCeilings } from '../../features/benchmarks/results.ts';
import { useRun } from '../../document/context.ts';
import { useLaboratory } from '../../page/context.ts';
import { Successive } from '../../controls/successive.tsx';
import { About } from '../../features/about/index.tsx';
import '../../figures/charts.css';
import { ConsistencyTab } from '../../figures/consistency-tab.tsx';
import { evidenceTabsIn } from '../../page/evidence-tabs.ts';
import type { EvidenceTab } from '../../page/evidence-tabs.ts';
import { Hovmoller } from '../../figures/hovmoller/index.tsx';
import { InnovationChart } from '../../figures/innovation-chart.tsx';
import { KernelBars } from '../../figures/kernel-bars.tsx';
import { MethodLegend } from '../../figures/method-legend.tsx';
import { MinimisationChart } from '../../features/inside/minimisation-chart.tsx';
import { OverlaidLegend } from '../../figures/overlaid-legend.tsx';
import { ProbeCharts } from '../../figures/probe-chart.tsx';
import { RankHistogram } from '../../figures/rank-histogram.tsx';
import { ResultsTable } from './results-table.tsx';
import { RmseChart } from '../../figures/rmse-chart.tsx';
import { countedCycles, unitOf } from '../../document/views/series.ts';
import { isSpinningUp, SpinUpFigure } from '../../figures/spin-up-figure.tsx';
import { SpectrumChart } from '../../figures/spectrum-chart.tsx';
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
      currentSnapshot,
      snapshots,
      probeReadings,
      kernels,
      work,
      ceilings,
    },
    view: { hiddenMethods, probes },
    branches,
  } = useRun();
  const { rankedVariable } = chartsOf(useRun());
  // The same array as long as nothing in it changes: figures are computed again for another one.
  const shown = useMemo(
    () => styles.value.filter(({ label }) => !hiddenMethods.value.has(label)),
    [styles.value, hiddenMethods.value],
  );
  const given = { styles: shown, diagnostics: diagnostics.value };
  const scenario = info.value?.scenario;
  const spinup = scenario?.experiment.spinup ?? 0;
  const counted = countedCycles(cycle.value, spinup, cycleDomain.value);
  switch (tab) {
    case 'errors':
      return (
        <Successive>
          <RmseChart {...given} />
          {isSpinningUp(spinup, lastCycle.value, plannedCycles.value) ? (
            <SpinUpFigure spinup={spinup} lastCycle={lastCycle.value} />
          ) : (
            <ResultsTable
              styles={styles.value}
              methods={info.value?.methods ?? []}
              diagnostics={diagnostics.value}
              spinup={spinup <= lastCycle.value ? spinup : 0}
              scenario={scenario}
            />
          )}
          <BranchTable />
          <SpectrumChart styles={shown} snapshot={currentSnapshot.value} basin={info.value?.basin} />
          <RankHistogram {...given} {...counted} variable={rankedVariable.value} />
        </Successive>
      );
    case 'observations': {
      const observed = new Set((scenario?.observations ?? []).map(({ variable }) => variable));
      const [only] = observed.size === 1 ? observed : [];
      const unit = only === undefined ? '' : unitOf(only);
      return <InnovationChart {...given} unit={unit} />;
    }
    case 'consistency':
      return <ConsistencyTab {...given} {...counted} scenario={scenario} basin={info.value?.basin} />;
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
