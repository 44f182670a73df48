/** Where the truth ranks among the forecast members: flat when truth and members are alike. */
import { summariseRanks, sumRanks } from '../../engine/index.ts';
import type { RankSummary } from '../../engine/index.ts';
import { useRun } from '../document/context.ts';
import { useLaboratory } from '../page/context.ts';
import type { MethodStyle } from '../document/views/method-style.ts';
import type { RunView } from '../document/run-view.ts';
import type { DataTable } from '../format/csv.ts';
import { Figure } from './figure.tsx';
import { legendOf } from './method-lines.ts';
import { formatNumber, formatProbability } from '../format/numbers.ts';
import { shownOverlaid } from '../document/lines/overlaid.ts';
import type { OverlaidRun } from '../document/lines/overlaid.ts';
import { Axes } from '../plot/axes.tsx';
import { useSize } from '../plot/use-size.ts';
import { FEWEST_RANKS, rankPlot } from './rank-plot.ts';
import { RANK_SHAPES } from './rank-shapes.ts';
import type { DiagnosticsProps } from './rmse-series.ts';
import { ranksOf } from '../document/views/series.ts';
import type { MethodDiagnostics } from '../document/views/series.ts';
import { chartsOf } from './chart-state.ts';
import { shownLines } from './chart-state.ts';

interface RankProps extends DiagnosticsProps {
  /** First and last cycle that are counted. */
  readonly from: number;
  readonly to: number;
  /** The variable. */
  readonly variable: string;
}

interface Counts {
  readonly counts: readonly number[];
  readonly summary: RankSummary;
}

/** Ranks of a method in an overlaid run. */
interface RunRanks extends Counts {
  readonly run: OverlaidRun;
  readonly faded: boolean;
}

interface MethodRanks extends Counts {
  readonly style: MethodStyle;
  readonly beside: readonly RunRanks[];
}

/** @returns undefined of a method without an ensemble */
function countsOf(rows: MethodDiagnostics, { variable, from, to }: RankProps): Counts | undefined {
  const counts = sumRanks(ranksOf(rows, variable, from, to));
  return counts.length < FEWEST_RANKS ? undefined : { counts, summary: summariseRanks(counts) };
}

function ensembles(view: RunView, props: RankProps): MethodRanks[] {
  const { highlightedRun } = chartsOf(view);
  const overlaid = shownOverlaid(shownLines(view));
  return props.styles.flatMap((style) => {
    const own = countsOf(props.diagnostics.get(style.label) ?? [], props);
    if (!own) return [];
    const beside = overlaid.flatMap((run): RunRanks[] => {
      const found = countsOf(run.diagnostics.get(style.label) ?? [], props);
      const faded = highlightedRun.value !== undefined && highlightedRun.value !== run.id;
      return found ? [{ ...found, run, faded }] : [];
    });
    return [{ ...own, style, beside }];
  });
}

function table(ranks: readonly MethodRanks[]): DataTable {
  const columns = ranks.flatMap(({ style, beside, ...own }) => [
    { title: style.title, ...own },
    ...beside.map(({ run, counts, summary }) => ({ title: `${style.title}, ${run.title}`, counts, summary })),
  ]);
  const most = Math.max(0, ...columns.map(({ counts }) => counts.length));
  return {
    columns: ['rank of the truth', ...columns.flatMap(({ title }) => [`${title}: count`, `${title}: expected`])],
    rows: Array.from({ length: most }, (_, rank) => [
      rank,
      ...columns.flatMap(({ counts, summary }) =>
        rank < counts.length ? [counts[rank], summary.total / counts.length] : [null, null],
      ),
    ]),
  };
}

export function RankHistogram(props: RankProps) {
  const laboratory = useLaboratory();
  const run = useRun();
  const ranks = ensembles(run, props);
  const isCompared = ranks.some(({ beside }) => beside.length > 0);
  return (
    <Figure
      id="ranks"
      title={
        ranks.length === 0
          ? 'Rank histogram'
          : `Rank histogram of ${props.variable}, cycles ${props.from} to ${props.to}`
      }
      help={`How often the truth has each rank among the forecast members, every eighth cell that is wet. Equal values are ranked at random. Neighbouring cells and cycles are correlated, so p is too small.${isCompared ? ' Outlines are other runs, their counts as shares of what is expected of them.' : ''}`}
      legend={isCompared ? legendOf(laboratory, [], chartsOf(run).overlaid.value) : []}
      table={() => table(ranks)}
      empty={
        ranks.length === 0
          ? 'Ranks of the truth among the members appear here for methods with an ensemble, after the first cycle.'
          : undefined
      }
    >
      {ranks.map((one) => (
        <Histogram key={one.style.label} {...one} />
      ))}
    </Figure>
  );
}

/** @returns as in `χ² 12, p 0.4: flat: truth and members are alike` */
function shortVerdict({ chiSquare, probability, shape }: RankSummary): string {
  return `χ² ${formatNumber(chiSquare)}, p ${formatProbability(probability)}: ${RANK_SHAPES[shape]}`;
}

function Histogram({ style, counts, summary, beside }: MethodRanks) {
  const [area, { width, em }] = useSize();
  const { chiSquare, degrees, probability, shape, total } = summary;
  const height = Math.round(9.5 * em);
  const others = beside.map((other) => ({ ranks: other.counts.length, summary: other.summary }));
  const plot = width > 0 ? rankPlot(counts.length, summary, { width, height, em }, others) : undefined;
  const verdict = `χ² ${formatNumber(chiSquare)} with ${degrees} degrees of freedom, p ${formatProbability(probability)}; ${RANK_SHAPES[shape]}`;
  const isSame = (other: Counts): boolean => other.counts.join() === counts.join();
  const compared = beside
    .map((other) => ` ${other.run.title}: ${isSame(other) ? 'the same' : shortVerdict(other.summary)}.`)
    .join('');
  return (
    <div class="rank-histogram">
      <p class="figure-note">
        <i class="swatch" style={{ background: style.colour }} /> <strong>{style.title}</strong> {shortVerdict(summary)}
        {compared && `.${compared}`}
      </p>
      <div class="chart-area" ref={area} style={{ height: `${height}px` }}>
        {plot !== undefined && (
          <svg
            class="chart"
            role="img"
            aria-label={`Rank histogram of ${style.title}, ${total} ranks. ${verdict}.${compared}`}
            data-legend={beside.length > 0}
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
          >
            <Axes layout={plot.layout} x={plot.x} y={plot.y} em={em} />
            {plot.bars.map(({ bin: { from, to, count, expected }, ...bar }) => (
              <rect key={from} class="chart-bar" {...bar} fill={style.colour}>
                <title>{`${from === to ? `Rank ${from}` : `Ranks ${from} to ${to}`}: ${count}, expected ${formatNumber(expected)}`}</title>
              </rect>
            ))}
            <line class="chart-expected" x1={plot.layout.left} x2={plot.layout.right} y1={plot.level} y2={plot.level} />
            {beside.map(({ run: { id, title, dash }, faded }, n) => (
              <path
                key={id}
                class={faded ? 'chart-outline chart-faded' : 'chart-outline'}
                d={plot.outlines[n]}
                stroke-dasharray={dash}
              >
                <title>{title}</title>
              </path>
            ))}
          </svg>
        )}
      </div>
    </div>
  );
}
