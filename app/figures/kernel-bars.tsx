/** Time by kernel: what the machine really did, and how near to its ceilings. */
import { useState } from 'preact/hooks';
import type { Ceilings } from '../../engine/index.ts';
import { CommandButton, Choice } from '../controls/buttons.tsx';
import { type RunKernels, typicalWork, type CycleWork } from '../document/run/run-kernels.ts';
import { Figure } from './figure.tsx';
import {
  describeClock,
  describeFloor,
  describeFraction,
  describeRates,
  describeWork,
  isAboveCeiling,
  kernelRows,
  kernelTable,
  totalsOfCycle,
} from './kernels.ts';
import type { KernelRow } from './kernels.ts';
import { formatMeasured, formatNumber } from '../format/numbers.ts';
import { useSize } from '../plot/use-size.ts';

/** More are in the CSV. */
const MOST_BARS = 24;
/** A narrower panel has room for the words about a ceiling alone. */
const LEAST_WIDTH_WITH_METER = 29;

type Extent = 'run' | 'cycle';

interface KernelBarsProps {
  readonly kernels: RunKernels;
  readonly ceilings: Ceilings | undefined;
  /** What the last cycles asked of the device one by one. */
  readonly work: readonly CycleWork[];
  /** Threads of the processor that compute; undefined if a device does. */
  readonly threads: number | undefined;
  /** The cycle on screen. */
  readonly cycle: number;
}

export function KernelBars({ kernels, ceilings, work, threads, cycle }: KernelBarsProps) {
  const [chosen, setChosen] = useState<Extent>('run');
  const [area, { width, em }] = useSize();
  const single = kernels.recent.find((each) => each.cycle === cycle);
  const shownCycle = chosen === 'cycle' ? single : undefined;
  const totals = shownCycle ? totalsOfCycle(shownCycle) : kernels.totals;
  const rows = kernelRows(totals, ceilings);
  const workOfCycle = work.find((each) => each.cycle === shownCycle?.cycle)?.counts;
  const facts = [
    ...factsOf(rows, ceilings),
    ...describeWork(workOfCycle ?? typicalWork(work), kernels.isRestored ? undefined : threads),
  ];
  const shown = rows.slice(0, MOST_BARS);
  const head = (1.5 * facts.length + 0.8) * em;
  const pitch = Math.round((ceilings ? 5.6 : 4.2) * em);
  const height = Math.round(head + shown.length * pitch);
  const all = rows.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  return (
    <Figure
      id="kernels"
      title="Kernel times"
      help="Bytes and operations are counted by formula, times and ceilings are measured here. The ceiling is the nearer one at a kernel’s operations per byte. A kernel can be faster than the copy bandwidth if its data is in caches; a ceiling is too low if the machine was busy while it was measured beside the run. Wall-clock times include what the queue adds."
      table={() => kernelTable(rows, totals.cycles, ceilings)}
      empty={
        rows.length === 0
          ? 'The time of every kernel appears here after the first cycle, with GB/s, GFLOP/s and what this machine can do at most.'
          : undefined
      }
      controls={
        <>
          <CommandButton command="view.benchmarks" class="button">
            Benchmarks…
          </CommandButton>
          <Choice<Extent>
            label="Cycles that the times are of"
            value={shownCycle ? 'cycle' : 'run'}
            options={[
              { value: 'run', label: 'All cycles' },
              ...(single ? [{ value: 'cycle', label: 'This cycle' } as const] : []),
            ]}
            onChange={setChosen}
          />
        </>
      }
      note={
        <>
          <b>{formatMeasured(all)}</b> ms of kernels {shownCycle ? `in cycle ${shownCycle.cycle}` : 'per cycle'}
          {!shownCycle && `, over ${totals.cycles} timed ${totals.cycles === 1 ? 'cycle' : 'cycles'}`}
          {!ceilings &&
            (kernels.isRestored
              ? '. The folder does not say what its machine could do at most.'
              : '. What this machine can do at most is measured after the first cycles.')}
          {rows.some(isAboveCeiling) &&
            '. Some kernels are faster than a ceiling: their data is in caches, or the ceilings were measured under load. “Benchmarks…” measures them alone; the better ones are used here.'}
        </>
      }
    >
      <div class="chart-area" ref={area} style={{ height: `${height}px` }}>
        {width > 0 && (
          <svg
            class="chart"
            role="img"
            aria-label={`Kernel times. The slowest: ${shown
              .slice(0, 3)
              .map((row) => describeRow(row, ceilings))
              .join('; ')}. ${facts.map(([name, value]) => `${name}: ${value}`).join('; ')}.`}
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
          >
            {facts.map(([name, value], index) => (
              <g key={name}>
                <text class="kernel-fact" x={0} y={(1.1 + 1.5 * index) * em}>
                  {name}
                </text>
                <text class="kernel-value" x={width} y={(1.1 + 1.5 * index) * em} text-anchor="end">
                  {value}
                </text>
              </g>
            ))}
            {shown.map((row, index) => (
              <Bar
                key={`${row.clock} ${row.name}`}
                row={row}
                ceilings={ceilings}
                y={head + index * pitch}
                width={width}
                em={em}
                longest={shown[0].milliseconds}
              />
            ))}
          </svg>
        )}
      </div>
      {shown.length < rows.length && <p class="figure-note">{rows.length - shown.length} more in the CSV.</p>}
    </Figure>
  );
}

/** What the machine can do at most, and how the times were taken. */
function factsOf(rows: readonly KernelRow[], ceilings: Ceilings | undefined): [name: string, value: string][] {
  const clock: [string, string] = [
    'Clock',
    describeClock(
      rows.map((row) => row.clock),
      ceilings,
    ),
  ];
  if (!ceilings) return [clock];
  return [
    ['Copy bandwidth', `${formatNumber(ceilings.copyGigabytesPerSecond)} GB/s`],
    ['Multiply-add rate', `${formatNumber(ceilings.fmaGigaflopsPerSecond)} GFLOP/s`],
    ['Empty run', `${formatNumber(ceilings.dispatchMicroseconds)} µs`],
    clock,
  ];
}

function percentOf(share: number): string {
  return `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
}

function describeRow(row: KernelRow, ceilings: Ceilings | undefined): string {
  const { name, milliseconds, share, calls } = row;
  const fraction = describeFraction(row, ceilings);
  return [
    `${name}: ${formatMeasured(milliseconds)} ms a cycle, ${percentOf(share)} of it`,
    `${calls} ×`,
    ...describeRates(row),
    ...(fraction === '' ? [] : [fraction]),
  ].join(', ');
}

interface BarProps {
  readonly row: KernelRow;
  readonly ceilings: Ceilings | undefined;
  readonly y: number;
  readonly width: number;
  readonly em: number;
  /** Milliseconds of the longest bar. */
  readonly longest: number;
}

function Bar({ row, ceilings, y, width, em, longest }: BarProps) {
  const { name, calls, milliseconds, share, fractionOfCeiling } = row;
  const text = y + 1.05 * em;
  const meter = { x: width - 5 * em, width: 5 * em, y: y + 3.95 * em, height: 0.4 * em };
  return (
    <g>
      <title>{describeRow(row, ceilings)}</title>
      <text class="kernel-name" x={0} y={text}>
        {name}
      </text>
      <text class="kernel-value" x={width} y={text} text-anchor="end">
        {formatMeasured(milliseconds)} ms · {percentOf(share)}
      </text>
      <rect class="kernel-track" x={0} y={y + 1.5 * em} width={width} height={0.4 * em} rx={2} />
      <rect
        class="kernel-bar"
        x={0}
        y={y + 1.5 * em}
        width={longest > 0 ? Math.max(1, (width * milliseconds) / longest) : 1}
        height={0.4 * em}
        rx={2}
      />
      <text class="kernel-rate" x={0} y={y + 3 * em}>
        {[`${calls} ×`, ...describeRates(row)].join(' · ')}
      </text>
      {ceilings && (
        <text class="kernel-fraction" x={0} y={y + 4.4 * em}>
          {describeFraction(row, ceilings)}
        </text>
      )}
      {fractionOfCeiling !== null && width >= LEAST_WIDTH_WITH_METER * em && (
        <>
          <text class="kernel-rate" x={width} y={y + 3 * em} text-anchor="end">
            {describeFloor(row)}
          </text>
          <rect class="kernel-track" {...meter} rx={2} />
          <rect class="kernel-ceiling" {...meter} width={meter.width * Math.min(1, fractionOfCeiling)} rx={2} />
        </>
      )}
    </g>
  );
}
