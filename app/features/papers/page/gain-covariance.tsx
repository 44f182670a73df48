/** P_HT and what it is made of: H, the taper with its first row, the sample covariance before and after it, and the basin. */
import { useMemo, useState } from 'preact/hooks';
import { Figure } from '../../../figures/figure.tsx';
import { largestOf } from '../../../fields/ranges.ts';
import { Matrix } from '../../../figures/matrix.tsx';
import { formatNumber } from '../../../format/numbers.ts';
import { LinePlot } from '../../../plot/line-plot.tsx';
import { Knob } from './knob.tsx';
import { useAnswer } from './use-answer.ts';

/** @returns one column of a matrix, row by row */
function columnOf(values: Float64Array, columns: number, column: number): Float64Array {
  return values.filter((_, at) => at % columns === column);
}

/** What the basin shows: the covariances of a cell, or those of an observation. */
type Shown = 'cell' | 'observation';

export function GainCovarianceFigure() {
  const [side, setSide] = useState(10);
  const [members, setMembers] = useState(8);
  const [observations, setObservations] = useState(24);
  const [halfWidth, setHalfWidth] = useState(2);
  const [wantedCell, setCell] = useState(44);
  const [wantedObservation, setObservation] = useState(17);
  const [shown, show] = useState<Shown>('cell');
  const asked = useMemo(() => ({ side, members, observations, halfWidth }), [side, members, observations, halfWidth]);
  const { answer, question = asked } = useAnswer('gainOfBasin', asked);
  const [n, m] = [question.side ** 2, question.observations];
  const cell = Math.min(wantedCell, n - 1);
  const observation = Math.min(wantedObservation, m - 1);
  const chooseCell = (chosen: number): void => {
    setCell(chosen);
    show('cell');
  };
  const chooseObservation = (chosen: number): void => {
    setObservation(chosen);
    show('observation');
  };
  const pointH = (row: number, column: number): void => {
    setCell(column);
    chooseObservation(row);
  };
  const pointGain = (row: number, column: number): void => {
    setCell(row);
    chooseObservation(column);
  };
  const subject = {
    name: 'shoal-gain',
    subtitle: `n = ${n}, L = ${question.members}, m = ${m}, half-width ${question.halfWidth} cells`,
  };
  const square = { rows: n, columns: n, rowName: 'cell', columnName: 'cell', row: cell, onPoint: chooseCell };
  const map =
    answer &&
    (shown === 'cell' ? answer.tapered.subarray(cell * n, (cell + 1) * n) : columnOf(answer.pht, m, observation));
  const largest = answer ? largestOf(answer.sample) : 0;
  return (
    <>
      <div class="papers-knobs">
        <Knob name="Grid" unit="cells a side" value={side} from={4} to={16} onChange={setSide} />
        <Knob name="Members L" value={members} from={2} to={64} onChange={setMembers} />
        <Knob name="Observations m" value={observations} from={1} to={64} onChange={setObservations} />
        <Knob name="Half-width" unit="cells" value={halfWidth} from={0.5} to={8} step={0.5} onChange={setHalfWidth} />
        <Knob name="Cell i" value={cell} from={0} to={n - 1} onChange={chooseCell} />
        <Knob name="Observation j" value={observation} from={0} to={m - 1} onChange={chooseObservation} />
      </div>
      <Figure
        id="gain"
        title="P_HT, and what it is made of"
        help="Point at a row: it is the same cell in every picture and in the basin, where dots are observations. The taper removes what few members make up far away; P_HT has a column for each observation."
        table={() => ({
          columns: ['cell', ...Array.from({ length: m }, (_, j) => `P_HT, observation ${j}`)],
          rows: Array.from({ length: answer ? n : 0 }, (_, i) => [
            i,
            ...(answer?.pht.subarray(i * m, (i + 1) * m) ?? []),
          ]),
        })}
        subject={subject}
        note={
          answer && (
            <>
              P_HT of cell {cell} and observation {observation}:{' '}
              <b>{formatNumber(answer.pht[cell * m + observation])}</b>. H has <b>{formatNumber(4 * m)}</b> of{' '}
              {formatNumber(m * n)} entries, the taper{' '}
              <b>{formatNumber((100 * answer.taper.filter((value) => value > 0).length) / n ** 2)}</b> % of its.
            </>
          )
        }
      >
        {answer && map && (
          <div class="matrices">
            <Matrix
              name="H"
              values={answer.h}
              rows={m}
              columns={n}
              rowName="observation"
              columnName="cell"
              largest={1}
              signed={false}
              row={observation}
              column={cell}
              onPoint={pointH}
            />
            <Matrix name="C, the taper" values={answer.taper} largest={1} signed={false} {...square} />
            <Matrix name="e eᵀ/(L − 1), before" values={answer.sample} largest={largest} {...square} />
            <Matrix name="C ∘ e eᵀ/(L − 1), after" values={answer.tapered} largest={largest} {...square} />
            <Matrix
              name="P_HT"
              values={answer.pht}
              rows={n}
              columns={m}
              rowName="cell"
              columnName="observation"
              largest={largest}
              row={cell}
              column={observation}
              onPoint={pointGain}
            />
            <Matrix
              name={
                shown === 'cell' ? `The basin: row ${cell} of C ∘ e eᵀ` : `The basin: column ${observation} of P_HT`
              }
              values={map}
              rows={question.side}
              columns={question.side}
              rowName="y"
              columnName="x"
              largest={largest}
              row={Math.floor(cell / question.side)}
              column={cell % question.side}
              points={Array.from(answer.x, (x, j) => ({ x, y: answer.y[j], chosen: j === observation }))}
              onPoint={(row, column) => chooseCell(row * question.side + column)}
            />
          </div>
        )}
      </Figure>
      <Figure
        id="taper-row"
        title="The first row of the taper"
        help="It determines the whole of C: each block of rows is Toeplitz, and so are the blocks among each other."
        table={() => ({
          columns: ['cell', 'taper'],
          rows: Array.from(answer?.taperRow ?? [], (value, i) => [i, value]),
        })}
        subject={subject}
      >
        <LinePlot
          summary="The taper between cell 0 and every cell."
          x={{ label: 'Cell', unit: '', scale: 'linear', whole: true }}
          y={{ label: 'Taper', unit: '', scale: 'linear' }}
          series={[
            {
              key: 'taper',
              label: 'C₀ⱼ',
              color: 'var(--accent)',
              dash: '',
              points: Array.from(answer?.taperRow ?? [], (y, x) => ({ x, y })),
            },
          ]}
          pointing={{ hovered: cell, hover: (at) => at !== undefined && chooseCell(at) }}
          nameOf={(x) => `cell ${x}`}
        />
      </Figure>
    </>
  );
}
