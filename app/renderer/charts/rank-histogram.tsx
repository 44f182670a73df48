/** Where the truth ranks among the forecast members: flat when truth and members are alike. */
import { summariseRanks, sumRanks } from '../../../engine/index.ts';
import type { RankSummary } from '../../../engine/index.ts';
import type { MethodStyle } from '../state/method-style.ts';
import type { DataTable } from './csv.ts';
import { Figure } from './figure.tsx';
import { formatNumber, formatProbability } from './numbers.ts';
import { Axes } from './plot/axes.tsx';
import { useSize } from './plot/use-size.ts';
import { FEWEST_RANKS, rankPlot } from './rank-plot.ts';
import { RANK_SHAPES } from './rank-shapes.ts';
import type { DiagnosticsProps } from './rmse-series.ts';
import { ranksOf } from './series.ts';

interface RankProps extends DiagnosticsProps {
  /** First and last cycle that are counted. */
  readonly from: number;
  readonly to: number;
  /** Of which variable. */
  readonly variable: string;
}

interface MethodRanks {
  readonly style: MethodStyle;
  readonly counts: readonly number[];
  readonly summary: RankSummary;
}

function ensembles({ styles, diagnostics, variable, from, to }: RankProps): MethodRanks[] {
  return styles.flatMap((style) => {
    const counts = sumRanks(ranksOf(diagnostics.get(style.label) ?? [], variable, from, to));
    return counts.length < FEWEST_RANKS ? [] : [{ style, counts, summary: summariseRanks(counts) }];
  });
}

function table(ranks: readonly MethodRanks[]): DataTable {
  const most = Math.max(0, ...ranks.map(({ counts }) => counts.length));
  return {
    columns: [
      'rank of the truth',
      ...ranks.flatMap(({ style }) => [`${style.title}: count`, `${style.title}: expected`]),
    ],
    rows: Array.from({ length: most }, (_, rank) => [
      rank,
      ...ranks.flatMap(({ counts, summary }) =>
        rank < counts.length ? [counts[rank], summary.total / counts.length] : [null, null],
      ),
    ]),
  };
}

export function RankHistogram(props: RankProps) {
  const ranks = ensembles(props);
  return (
    <Figure
      id="ranks"
      title={
        ranks.length === 0
          ? 'Rank histogram'
          : `Rank histogram of ${props.variable}, cycles ${props.from} to ${props.to}`
      }
      help="How often the truth has each rank among the forecast members, every eighth cell that is wet. Equal values are ranked at random. Neighbouring cells and cycles are related, so that p is lower than it ought to be."
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

function Histogram({ style, counts, summary }: MethodRanks) {
  const [area, { width, em }] = useSize();
  const { chiSquare, degrees, probability, shape, total } = summary;
  const height = Math.round(9.5 * em);
  const plot = width > 0 ? rankPlot(counts.length, summary, { width, height, em }) : undefined;
  const verdict = `χ² ${formatNumber(chiSquare)} with ${degrees} degrees of freedom, p ${formatProbability(probability)}; ${RANK_SHAPES[shape]}`;
  return (
    <div class="rank-histogram">
      <p class="figure-note">
        <i class="swatch" style={{ background: style.colour }} /> <strong>{style.title}</strong> χ²{' '}
        {formatNumber(chiSquare)}, p {formatProbability(probability)}: {RANK_SHAPES[shape]}
      </p>
      <div class="chart-area" ref={area} style={{ height: `${height}px` }}>
        {plot !== undefined && (
          <svg
            class="chart"
            role="img"
            aria-label={`Rank histogram of ${style.title}, ${total} ranks. ${verdict}.`}
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
          </svg>
        )}
      </div>
    </div>
  );
}
