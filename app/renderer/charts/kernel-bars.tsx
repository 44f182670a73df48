/** Time by kernel: what the machine really did, and how near to its ceilings. */
import type { KernelCycle } from '../state/session-state.ts';
import type { DataTable } from './csv.ts';
import { Figure } from './figure.tsx';
import { kernelTotals } from './kernels.ts';
import type { KernelTotal } from './kernels.ts';
import { formatColumn, formatMeasured, formatNumber } from './numbers.ts';
import { useSize } from './plot/use-size.ts';

/** More are in the CSV. */
const MOST_BARS = 24;

function table(totals: readonly KernelTotal[]): DataTable {
  return {
    columns: ['kernel', 'total (ms)', 'calls', 'share', 'GB/s', 'GFLOP/s', 'clock'],
    rows: totals.map((total) => [
      total.name,
      total.milliseconds,
      total.calls,
      total.share,
      total.gigabytesPerSecond,
      total.gigaflopsPerSecond,
      total.clock,
    ]),
  };
}

export function KernelBars({ cycles }: { readonly cycles: readonly KernelCycle[] }) {
  const totals = kernelTotals(cycles.flatMap(({ samples }) => samples));
  const clocks = new Set(totals.map(({ clock }) => clock));
  const [area, { width, em }] = useSize();
  const row = Math.round(4.1 * em);
  const shown = totals.slice(0, MOST_BARS);
  const rates = rateTexts(shown);
  const height = shown.length * row;
  const longest = shown[0]?.milliseconds ?? 1;
  const all = totals.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  return (
    <Figure
      id="kernels"
      title="Kernel times"
      help="Bytes and operations are counted by formula, times are measured. Wall-clock times include what the queue adds."
      table={() => table(totals)}
      empty={
        totals.length === 0
          ? 'The time of every kernel appears here after the first cycle, with GB/s and GFLOP/s.'
          : undefined
      }
      note={
        <>
          <b>{formatNumber(all / cycles.length)}</b> ms of kernels per cycle, over {cycles.length}{' '}
          {cycles.length === 1 ? 'cycle' : 'cycles'}; clock: {[...clocks].join(' and ')}
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
              .map(
                ({ name, milliseconds, share }) =>
                  `${name} ${formatNumber(milliseconds)} ms, ${Math.round(100 * share)} %`,
              )
              .join('; ')}.`}
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
          >
            {shown.map((total, index) => (
              <KernelRow
                key={total.name}
                total={total}
                rates={rates[index]}
                y={index * row}
                width={width}
                em={em}
                longest={longest}
              />
            ))}
          </svg>
        )}
      </div>
      {shown.length < totals.length && <p class="figure-note">{totals.length - shown.length} more in the CSV.</p>}
    </Figure>
  );
}

/** Ends of the columns of calls, GB/s and GFLOP/s, in sizes of the type. */
const RATE_ENDS = [4.4, 12.8, 24.2] as const;

/** @returns rates as they stand below each other; empty where nothing was counted */
function rateColumn(values: readonly number[], unit: string): string[] {
  return formatColumn(values).map((text, n) => (values[n] > 0 ? `${text} ${unit}` : ''));
}

/** @returns for each kernel its calls, GB/s and GFLOP/s, written to stand below those of the others */
function rateTexts(totals: readonly KernelTotal[]): string[][] {
  const bandwidth = rateColumn(
    totals.map(({ gigabytesPerSecond }) => gigabytesPerSecond),
    'GB/s',
  );
  const arithmetic = rateColumn(
    totals.map(({ gigaflopsPerSecond }) => gigaflopsPerSecond),
    'GFLOP/s',
  );
  return totals.map(({ calls }, n) => [`${calls} ×`, bandwidth[n], arithmetic[n]]);
}

interface RowProps {
  readonly total: KernelTotal;
  /** Calls, GB/s, GFLOP/s; empty where there is none. */
  readonly rates: readonly string[];
  readonly y: number;
  readonly width: number;
  readonly em: number;
  /** Milliseconds of the longest bar. */
  readonly longest: number;
}

function KernelRow({ total, rates, y, width, em, longest }: RowProps) {
  const { name, milliseconds, share } = total;
  const text = y + 1.05 * em;
  return (
    <g>
      <title>{`${name}: ${formatNumber(milliseconds)} ms, ${(100 * share).toFixed(1)} % of all, ${rates.filter(Boolean).join(', ')}`}</title>
      <text class="kernel-name" x={0} y={text}>
        {name}
      </text>
      <text class="kernel-value" x={width} y={text} text-anchor="end">
        {formatMeasured(milliseconds)} ms
      </text>
      <rect class="kernel-track" x={0} y={y + 1.5 * em} width={width} height={0.4 * em} rx={2} />
      <rect
        class="kernel-bar"
        x={0}
        y={y + 1.5 * em}
        width={Math.max(1, (width * milliseconds) / longest)}
        height={0.4 * em}
        rx={2}
      />
      {rates.map((rate, n) => (
        <text key={n} class="kernel-rate" x={RATE_ENDS[n] * em} y={y + 3 * em} text-anchor="end">
          {rate}
        </text>
      ))}
    </g>
  );
}
