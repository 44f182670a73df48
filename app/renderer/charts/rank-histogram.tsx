/** Where the truth ranks among the forecast members: flat when truth and members are alike. */
import { summariseRanks, sumRanks } from '../../../engine/index.ts';
import type { RankSummary } from '../../../engine/index.ts';
import type { MethodStyle } from '../state/method-style.ts';
import type { DataTable } from './csv.ts';
import { Figure } from './figure.tsx';
import { formatNumber, formatProbability } from './numbers.ts';
import { Axes } from './plot/axes.tsx';
import { layoutPlot } from './plot/layout.ts';
import { RANK_SHAPES } from './rank-shapes.ts';
import { useSize } from './plot/use-size.ts';
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
    // One member ranks the truth above or below itself, which says nothing of a spread.
    return counts.length < 3 ? [] : [{ style, counts, summary: summariseRanks(counts) }];
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
  const { bins, chiSquare, degrees, probability, shape, total } = summary;
  const height = Math.round(9.5 * em);
  const level = bins[0]?.expected ?? 0;
  const x = {
    label: 'Rank of the truth',
    unit: '',
    scale: 'linear',
    domain: [-0.5, counts.length - 0.5],
    whole: true,
  } as const;
  const y = { label: 'Count', unit: '', scale: 'linear', whole: true } as const;
  const tops = bins.map(({ from, to, count, expected }) => ({ x: (from + to) / 2, y: Math.max(count, expected) }));
  const series = [{ key: 'bins', label: '', color: style.colour, dash: '', points: tops, unlabelled: true }];
  const layout = width > 0 ? layoutPlot({ width, height, em, x, y, series }) : undefined;
  const verdict = `χ² ${formatNumber(chiSquare)} with ${degrees} degrees of freedom, p ${formatProbability(probability)}; ${RANK_SHAPES[shape]}`;
  return (
    <div class="rank-histogram">
      <p class="figure-note">
        <i class="swatch" style={{ background: style.colour }} /> <strong>{style.title}</strong> χ²{' '}
        {formatNumber(chiSquare)}, p {formatProbability(probability)}: {RANK_SHAPES[shape]}
      </p>
      <div class="chart-area" ref={area} style={{ height: `${height}px` }}>
        {layout !== undefined && (
          <svg
            class="chart"
            role="img"
            aria-label={`Rank histogram of ${style.title}, ${total} ranks. ${verdict}.`}
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
          >
            <Axes layout={layout} x={x} y={y} em={em} />
            {bins.map(({ from, to, count, expected }) => {
              const [left, right] = [layout.x.at(from - 0.5), layout.x.at(to + 0.5)];
              const top = layout.y.at(count);
              const ranks = from === to ? `Rank ${from}` : `Ranks ${from} to ${to}`;
              return (
                <rect
                  key={from}
                  class="chart-bar"
                  x={left + 0.5}
                  y={top}
                  width={Math.max(0.5, right - left - 1)}
                  height={Math.max(0, layout.bottom - top)}
                  fill={style.colour}
                >
                  <title>{`${ranks}: ${count}, expected ${formatNumber(expected)}`}</title>
                </rect>
              );
            })}
            <line
              class="chart-expected"
              x1={layout.left}
              x2={layout.right}
              y1={layout.y.at(level)}
              y2={layout.y.at(level)}
            />
          </svg>
        )}
      </div>
    </div>
  );
}
