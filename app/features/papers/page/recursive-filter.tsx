/** A signal cut into overlapping blocks: what Algorithm 2 makes of it, and where it differs from the undivided filter. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { FilterAnswer } from '../../../../engine/index.ts';
import { Figure } from '../../../figures/figure.tsx';
import type { PlotSeries } from '../../../plot/layout.ts';
import { LinePlot } from '../../../plot/line-plot.tsx';
import { FilterTimes } from './filter-times.tsx';
import { Knob } from './knob.tsx';
import { SignalPad } from './signal-pad.tsx';
import { useAnswer } from './use-answer.ts';

/** N */
const POINTS = 240;

/** Signals to begin with, each of values from 0 to 1. */
const SIGNALS = {
  steps: (i: number) => (i < POINTS / 3 ? 0.2 : i < POINTS / 2 ? 1 : i === Math.round((5 * POINTS) / 6) ? 1 : 0.4),
  impulse: (i: number) => Number(i === POINTS / 2),
  // Scattered by a quadratic sequence, so that it is the same in every picture.
  noise: (i: number) => (((i * i * 0.618_034) % 1) + 1) % 1,
} as const;

type SignalName = keyof typeof SIGNALS | 'by hand';

function signalOf(name: keyof typeof SIGNALS): Float64Array {
  return Float64Array.from({ length: POINTS }, (_, i) => SIGNALS[name](i));
}

/** K up to which it plays, and milliseconds for each. */
const MOST_ITERATIONS = 50;
const PACE = 250;

/** Errors below are what rounding leaves in float32. */
const LEAST_ERROR = 1e-9;

/** Each block with its overlaps, shaded from `low` to `high`: where two overlap it is darker. */
function bandsOf(blocks: FilterAnswer['blocks'], overlap: number, low: number, high: number): readonly PlotSeries[] {
  return blocks.map(({ start, size }, block) => {
    const ends = [Math.max(0, start - overlap), Math.min(POINTS - 1, start + size - 1 + overlap)];
    const band = ends.map((x) => ({ x, low, high }));
    const how = { color: block % 2 === 0 ? 'var(--accent)' : 'var(--good)', dash: '', guide: true, unlabelled: true };
    return { key: `block-${block}`, label: `block ${block + 1}`, points: [], band, ...how };
  });
}

function pointsOf(values: Float64Array | undefined): PlotSeries['points'] {
  return Array.from(values ?? [], (y, x) => ({ x, y }));
}

export function RecursiveFilterFigure() {
  const [sigma, setSigma] = useState(6);
  const [iterations, setIterations] = useState(4);
  const [blocks, setBlocks] = useState(4);
  const [overlap, setOverlap] = useState(5);
  const [name, setName] = useState<SignalName>('steps');
  const [signal, setSignal] = useState(() => signalOf('steps'));
  const [plays, setPlays] = useState(false);
  useEffect(() => {
    if (!plays) return undefined;
    const next = (): void => (iterations < MOST_ITERATIONS ? setIterations(iterations + 1) : setPlays(false));
    const timer = setTimeout(next, PACE);
    return () => clearTimeout(timer);
  }, [plays, iterations]);
  const choose = (chosen: SignalName): void => {
    setName(chosen);
    if (chosen !== 'by hand') setSignal(signalOf(chosen));
  };
  const play = (): void => {
    if (!plays) setIterations(1);
    setPlays(!plays);
  };
  const asked = useMemo(
    () => ({ signal, sigma, iterations, blocks, overlap }),
    [signal, sigma, iterations, blocks, overlap],
  );
  const { answer, question = asked } = useAnswer('filterSignal', asked);
  const cuts = answer?.blocks ?? [];
  const subtitle = `K = ${question.iterations}, σ = ${question.sigma}, t = ${question.blocks}, m = ${question.overlap}`;
  const [hovered, hover] = useState<number | undefined>(undefined);
  const shown = [...signal, ...(answer?.filtered ?? [])];
  const errors = Array.from(answer?.filtered ?? [], (value, i) => Math.abs(value - (answer?.undivided[i] ?? value)));
  const errorPoints = errors.map((y, x) => ({ x, y: Math.max(y, LEAST_ERROR) }));
  const highest = Math.max(...errors, 10 * LEAST_ERROR);
  const series: readonly PlotSeries[] = [
    ...bandsOf(cuts, question.overlap, Math.min(0, ...shown), Math.max(...shown)),
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
        <label class="papers-knob">
          Signal
          <select
            class="input"
            value={name}
            onChange={({ currentTarget }) => choose(currentTarget.value as SignalName)}
          >
            {[...Object.keys(SIGNALS), 'by hand'].map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
          <button type="button" class="button" onClick={play}>
            {plays ? 'Stop' : 'Play K'}
          </button>
        </label>
        <Knob name="Iterations K" value={iterations} from={1} to={MOST_ITERATIONS} onChange={setIterations} />
        <Knob name="Width σ" unit="points" value={sigma} from={1} to={20} onChange={setSigma} />
        <Knob name="Blocks t" value={blocks} from={1} to={24} onChange={setBlocks} />
        <Knob name="Overlap m" unit="points" value={overlap} from={0} to={60} onChange={setOverlap} />
      </div>
      {name === 'by hand' && <SignalPad signal={signal} onChange={setSignal} />}
      <Figure
        id="filtered-signal"
        title="The signal, filtered"
        help="With more iterations the filter tends to the Gaussian; with a larger overlap the blocks, shaded with their overlaps, agree with the undivided filter."
        table={table}
        subject={{ name: 'shoal-recursive-filter', subtitle }}
      >
        <LinePlot
          summary="The signal, what Algorithm 2 makes of it, and the Gaussian that it tends to."
          x={{ label: 'Point', unit: '', scale: 'linear', whole: true }}
          y={{ label: 'Value', unit: '', scale: 'linear' }}
          series={series}
          heightEm={18}
          pointing={{ hovered, hover }}
          nameOf={(x) => `point ${x}`}
        />
      </Figure>
      <Figure
        id="filter-error"
        title="Against the undivided filter"
        help="The absolute difference. Seams and ends are seen, and go as the overlap grows; what is left is rounding."
        table={() => ({ columns: ['point', '|error|'], rows: errors.map((value, i) => [i, value]) })}
        subject={{ name: 'shoal-recursive-filter-error', subtitle }}
      >
        <LinePlot
          summary="Where Algorithm 2 differs from the undivided filter, point by point."
          x={{ label: 'Point', unit: '', scale: 'linear', whole: true }}
          y={{ label: '|error|', unit: '', scale: 'log' }}
          series={[
            ...bandsOf(cuts, question.overlap, LEAST_ERROR, highest),
            { key: 'error', label: '|error|', color: 'var(--accent)', dash: '', points: errorPoints },
          ]}
          pointing={{ hovered, hover }}
          nameOf={(x) => `point ${x}`}
        />
      </Figure>
      <FilterTimes />
    </>
  );
}
