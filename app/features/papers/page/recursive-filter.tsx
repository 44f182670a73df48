/** A signal cut into overlapping blocks: what Algorithm 2 makes of it, and where it differs from the undivided filter. */
import { useMemo, useState } from 'preact/hooks';
import { Figure } from '../../../figures/figure.tsx';
import type { PlotSeries } from '../../../plot/layout.ts';
import { LinePlot } from '../../../plot/line-plot.tsx';
import { Knob } from './knob.tsx';
import { useAnswer } from './use-answer.ts';

/** N */
const POINTS = 240;

/** @returns a signal with a step, an impulse and a ramp */
function steps(): Float64Array {
  return Float64Array.from({ length: POINTS }, (_, i) =>
    i < POINTS / 3 ? 0.2 : i < POINTS / 2 ? 1 : i === Math.round((5 * POINTS) / 6) ? 1 : 0.4,
  );
}

function pointsOf(values: Float64Array | undefined): PlotSeries['points'] {
  return Array.from(values ?? [], (y, x) => ({ x, y }));
}

export function RecursiveFilterFigure() {
  const [sigma, setSigma] = useState(6);
  const [iterations, setIterations] = useState(4);
  const [blocks, setBlocks] = useState(4);
  const [overlap, setOverlap] = useState(5);
  const signal = useMemo(steps, []);
  const question = useMemo(
    () => ({ signal, sigma, iterations, blocks, overlap }),
    [signal, sigma, iterations, blocks, overlap],
  );
  const { answer } = useAnswer('filterSignal', question);
  const [hovered, hover] = useState<number | undefined>(undefined);
  const series: readonly PlotSeries[] = [
    { key: 'signal', label: 'signal', color: 'var(--quiet)', dash: '', points: pointsOf(signal), thin: true },
    { key: 'gaussian', label: 'Gaussian', color: 'var(--good)', points: pointsOf(answer?.gaussian), dash: '2 3' },
    { key: 'filtered', label: 'Algorithm 2', color: 'var(--accent)', dash: '', points: pointsOf(answer?.filtered) },
  ];
  const table = () => ({
    columns: ['point', 'signal', 'Algorithm 2', 'undivided filter', 'Gaussian'],
    rows: Array.from(signal, (value, i) => [
      i,
      value,
      answer?.filtered[i] ?? null,
      answer?.undivided[i] ?? null,
      answer?.gaussian[i] ?? null,
    ]),
  });
  return (
    <>
      <div class="papers-knobs">
        <Knob name="Iterations K" value={iterations} from={1} to={50} onChange={setIterations} />
        <Knob name="Width σ" unit="points" value={sigma} from={1} to={20} onChange={setSigma} />
        <Knob name="Blocks t" value={blocks} from={1} to={24} onChange={setBlocks} />
        <Knob name="Overlap m" unit="points" value={overlap} from={0} to={60} onChange={setOverlap} />
      </div>
      <Figure
        id="filtered-signal"
        title="The signal, filtered"
        help="With more iterations the filter tends to the Gaussian; with a larger overlap the blocks agree with the undivided filter."
        table={table}
        subject={{
          name: 'shoal-recursive-filter',
          subtitle: `K = ${iterations}, σ = ${sigma}, t = ${blocks}, m = ${overlap}`,
        }}
      >
        <LinePlot
          summary="The signal, what Algorithm 2 makes of it, and the Gaussian that it tends to."
          x={{ label: 'Point', unit: '', scale: 'linear', whole: true }}
          y={{ label: 'Value', unit: '', scale: 'linear' }}
          series={series}
          pointing={{ hovered, hover }}
          nameOf={(x) => `point ${x}`}
        />
      </Figure>
    </>
  );
}
