/** A volume and the six passes over it, three forward and three back: sections through a point, and what the last pass changed. */
import { useMemo, useState } from 'preact/hooks';
import { axesAfter } from '../../../../engine/index.ts';
import { largestOf } from '../../../fields/ranges.ts';
import { Figure } from '../../../figures/figure.tsx';
import { Matrix } from '../../../figures/matrix.tsx';
import { formatNumber } from '../../../format/numbers.ts';
import { Knob } from './knob.tsx';
import { TuningSurface } from './tuning-surface.tsx';
import { useAnswer } from './use-answer.ts';

/** n */
const SIDE = 32;
const PASSES = 6;

type Axis = 'x' | 'y' | 'z';
type Point = Readonly<Record<Axis, number>>;

const AXES = ['x', 'y', 'z'] as const;

function inBox({ x, y, z }: Point): boolean {
  return [x, y, z].every((i) => i >= 10 && i < 22);
}

/** Volumes to begin with, each of values from 0 to 1. */
const VOLUMES = {
  'scattered points': ({ x, y, z }: Point) => Number((7 * x + 11 * y + 13 * z + x * y * z) % 97 === 0),
  box: (point: Point) => Number(inBox(point)),
  'smooth blob': ({ x, y, z }: Point) => Math.exp(-((x - 16) ** 2 / 50 + (y - 14) ** 2 / 32 + (z - 18) ** 2 / 18)),
} as const;

type VolumeName = keyof typeof VOLUMES;

/** @returns where a point is in memory */
function placeOf(axes: readonly Axis[], point: Point): number {
  return axes.reduce((place, axis) => place * SIDE + point[axis], 0);
}

function volumeOf(name: VolumeName): Float64Array {
  return Float64Array.from({ length: SIDE ** 3 }, (_, at) =>
    VOLUMES[name]({ x: Math.floor(at / SIDE ** 2), y: Math.floor(at / SIDE) % SIDE, z: at % SIDE }),
  );
}

/** @returns a later stage less an earlier one, in the order of the later one in memory */
function differenceOf(stages: readonly Float64Array[], later: number, earlier: number): Float64Array {
  const [axes, before] = [axesAfter(later), axesAfter(earlier)];
  const [a, b, c] = axes;
  return stages[later].map((value, at) => {
    const point = {
      x: 0,
      y: 0,
      z: 0,
      [a]: Math.floor(at / SIDE ** 2),
      [b]: Math.floor(at / SIDE) % SIDE,
      [c]: at % SIDE,
    };
    return value - stages[earlier][placeOf(before, point)];
  });
}

function nameOfPass(passes: number): string {
  if (passes === 0) return 'The volume before the first pass';
  const way = passes <= 3 ? 'forward' : 'back';
  return `After pass ${passes} of ${PASSES}, ${way} along ${axesAfter(passes - 1)[2]}`;
}

interface SectionsProps {
  readonly volume: Float64Array;
  /** In their order in memory. */
  readonly axes: readonly Axis[];
  /** Which axes the pictures have, by the order they are named in. */
  readonly shown: readonly Axis[];
  readonly point: Point;
  readonly onPoint: (point: Point) => void;
}

/** The three planes through a point. */
function Sections({ volume, axes, shown, point, onPoint }: SectionsProps) {
  const largest = useMemo(() => largestOf(volume), [volume]);
  const [slow, middle, fast] = shown;
  const planes = [
    [slow, middle, fast],
    [middle, slow, fast],
    [fast, slow, middle],
  ] as const;
  return (
    <div class="matrices">
      {planes.map(([across, down, right]) => (
        <Matrix
          key={across}
          name={`${across} = ${point[across]}`}
          values={Float64Array.from(
            { length: SIDE ** 2 },
            (_, at) => volume[placeOf(axes, { ...point, [down]: Math.floor(at / SIDE), [right]: at % SIDE })],
          )}
          rows={SIDE}
          columns={SIDE}
          rowName={down}
          columnName={right}
          largest={largest}
          row={point[down]}
          column={point[right]}
          onPoint={(row, column) => onPoint({ ...point, [down]: row, [right]: column })}
        />
      ))}
    </div>
  );
}

export function SeparableConvolutionFigure() {
  const [name, setName] = useState<VolumeName>('box');
  const [passes, setPasses] = useState(1);
  const [inMemory, setInMemory] = useState(true);
  const [fromStart, setFromStart] = useState(false);
  const [point, setPoint] = useState<Point>({ x: 16, y: 14, z: 18 });
  const question = useMemo(() => ({ side: SIDE, volume: volumeOf(name) }), [name]);
  const { answer } = useAnswer('convolutionPasses', question);
  const axes = axesAfter(passes);
  const shown = inMemory ? axes : AXES;
  const before = fromStart ? 0 : Math.max(0, passes - 1);
  const change = useMemo(() => answer && differenceOf(answer.stages, passes, before), [answer, passes, before]);
  const roundTrip = useMemo(() => answer && largestOf(differenceOf(answer.stages, PASSES, 0)), [answer]);
  const subject = { name: 'shoal-convolution', subtitle: `${name}, ${SIDE}³, ${passes} of ${PASSES} passes` };
  const along = (values: Float64Array | undefined, at: Point): number | null => values?.[placeOf(axes, at)] ?? null;
  const filtered = passes === 0 ? 'z' : axesAfter(passes - 1)[2];
  const table = (values: Float64Array | undefined) => () => ({
    columns: [filtered, 'value'],
    rows: Array.from({ length: SIDE }, (_, i) => [i, along(values, { ...point, [filtered]: i })]),
  });
  const sections = { axes, shown, point, onPoint: setPoint };
  return (
    <>
      <div class="papers-knobs">
        <label class="papers-knob">
          Volume
          <select
            class="input"
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value as VolumeName)}
          >
            {Object.keys(VOLUMES).map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <Knob name="Passes" unit="3 and 3" value={passes} from={0} to={PASSES} onChange={setPasses} />
        {AXES.map((axis) => (
          <Knob
            key={axis}
            name={`Section ${axis}`}
            value={point[axis]}
            from={0}
            to={SIDE - 1}
            onChange={(value) => setPoint({ ...point, [axis]: value })}
          />
        ))}
        <label class="papers-knob">
          Axes
          <select
            class="input"
            value={inMemory ? 'memory' : 'space'}
            onChange={({ currentTarget }) => setInMemory(currentTarget.value === 'memory')}
          >
            <option value="memory">as in memory</option>
            <option value="space">as in space</option>
          </select>
        </label>
        <label class="papers-knob">
          Change since
          <select
            class="input"
            value={fromStart ? 'start' : 'pass'}
            onChange={({ currentTarget }) => setFromStart(currentTarget.value === 'start')}
          >
            <option value="pass">the pass before</option>
            <option value="start">the first volume</option>
          </select>
        </label>
      </div>
      <Figure
        id="sections"
        title={nameOfPass(passes)}
        help="Each pass filters along the fastest axis and writes it as the slowest, so that the axes turn and the next pass reads along the fastest as well. Point at a place: all sections go through it."
        table={table(answer?.stages[passes])}
        subject={subject}
        note={
          answer && (
            <>
              In memory <b>{axes.join(', ')}</b>, the fastest last. Here{' '}
              <b>{formatNumber(along(answer.stages[passes], point))}</b>.
            </>
          )
        }
      >
        {answer && <Sections volume={answer.stages[passes]} {...sections} />}
      </Figure>
      <Figure
        id="change"
        title={fromStart ? 'What all passes changed' : 'What the pass changed'}
        help="A pass changes lines along one axis only. Back is the transpose of the filter: it returns what is smooth, and of what changes from point to point it loses a little."
        table={table(change)}
        subject={{ ...subject, name: 'shoal-convolution-change' }}
        note={
          roundTrip !== undefined && (
            <>
              There and back, no value differs by more than <b>{formatNumber(roundTrip)}</b>.
            </>
          )
        }
      >
        {change && <Sections volume={change} {...sections} />}
      </Figure>
      <TuningSurface />
    </>
  );
}
