/** How the mean of a local ensemble transform is made at the place: a bar for each member, and what the observations there determine. */
import { formatNumber } from '../../format/numbers.ts';
import { Figure } from '../../figures/figure.tsx';
import type { DataTable } from '../../format/csv.ts';
import { Axes } from '../../plot/axes.tsx';
import { layoutPlot } from '../../plot/layout.ts';
import { useSize } from '../../plot/use-size.ts';
import type { LocalWeights } from '../../../engine/index.ts';
import { useRun } from '../../document/context.ts';
import type { MethodStyle } from '../../document/views/method-style.ts';
import { xrayOf } from './xray-state.ts';

interface MethodWeights {
  readonly style: MethodStyle;
  readonly of: LocalWeights;
}

const EMPTY =
  'The weight of each member in the mean of a LETKF at the place appears here, once a cycle with observations is asked about.';
const NO_LETKF =
  'The weight of each member in the mean of a LETKF at the place appears here. Add the method under Settings to see them.';

const HELP =
  'The analysis mean at the place is the sum of the members, each by its weight. Without observations in reach each has 1/k (dashed). Degrees of freedom for signal: by how many observations’ worth those in reach determine the analysis there.';

function tableOf(found: readonly MethodWeights[]): DataTable {
  const most = Math.max(0, ...found.map(({ of }) => of.weights.length));
  return {
    columns: ['member', ...found.map(({ style }) => `${style.title}: weight`)],
    rows: Array.from({ length: most }, (_, member) => [member, ...found.map(({ of }) => of.weights[member] ?? null)]),
  };
}

function Bars({ style, of: { weights, degreesOfFreedom, observations } }: MethodWeights) {
  const [area, { width, em }] = useSize();
  const height = Math.round(10 * em);
  const share = 1 / weights.length;
  const values = Array.from(weights);
  const x = { label: 'Member', unit: '', scale: 'linear', domain: [-0.5, values.length - 0.5], whole: true } as const;
  const y = { label: 'Weight', unit: '', scale: 'linear', include: [0, share] } as const;
  const points = values.map((weight, member) => ({ x: member, y: weight }));
  const series = [{ key: 'weights', label: '', color: style.colour, dash: '', points, unlabelled: true }];
  const layout = width > 0 ? layoutPlot({ width, height, em, x, y, series }) : undefined;
  const reach = `${observations.length} ${observations.length === 1 ? 'observation' : 'observations'} in reach`;
  return (
    <>
      <p class="figure-note">
        <i class="swatch" style={{ background: style.colour }} /> <strong>{style.title}</strong> {reach}, degrees of
        freedom for signal <b>{formatNumber(degreesOfFreedom)}</b> of {weights.length - 1}
      </p>
      <div class="chart-area" ref={area} style={{ height: `${height}px` }}>
        {layout && (
          <svg
            class="chart"
            role="img"
            aria-label={`Weights of ${values.length} members of ${style.title}, from ${formatNumber(Math.min(...values))} to ${formatNumber(Math.max(...values))}.`}
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
          >
            <Axes layout={layout} x={x} y={y} em={em} />
            {values.map((weight, member) => {
              const [left, right] = [layout.x.at(member - 0.4), layout.x.at(member + 0.4)];
              const [from, to] = [layout.y.at(Math.max(0, weight)), layout.y.at(Math.min(0, weight))];
              return (
                <rect
                  key={`member ${String(member)}`}
                  class="chart-bar"
                  x={left}
                  y={from}
                  width={Math.max(1, right - left)}
                  height={Math.max(0.5, to - from)}
                  fill={style.colour}
                >
                  <title>{`Member ${member}: ${formatNumber(weight)}`}</title>
                </rect>
              );
            })}
            <line
              class="chart-expected"
              x1={layout.left}
              x2={layout.right}
              y1={layout.y.at(share)}
              y2={layout.y.at(share)}
            />
          </svg>
        )}
      </div>
    </>
  );
}

export function WeightsFigure({ styles }: { readonly styles: readonly MethodStyle[] }) {
  const { answers } = xrayOf(useRun());
  const of = answers.value;
  const found = styles.flatMap((style): MethodWeights[] => {
    const weights = of?.byMethod.get(style.label)?.weights;
    return weights ? [{ style, of: weights }] : [];
  });
  return (
    <Figure
      id="weights"
      title={of && found.length > 0 ? `Weights of the members, cycle ${of.cycle}` : 'Weights of the members'}
      help={HELP}
      table={() => tableOf(found)}
      empty={found.length > 0 ? undefined : styles.some(({ kind }) => kind === 'letkf') ? EMPTY : NO_LETKF}
    >
      {found.map((each) => (
        <Bars key={each.style.label} {...each} />
      ))}
    </Figure>
  );
}
