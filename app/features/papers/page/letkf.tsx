/** The analysis of one grid point in the space of the ensemble, and how many of its threads a card of the paper holds at once. */
import { useMemo, useState } from 'preact/hooks';
import { occupancy, PAPER_CARDS } from '../../../../engine/index.ts';
import { Figure } from '../../../figures/figure.tsx';
import { Matrix } from '../../../figures/matrix.tsx';
import { formatNumber } from '../../../format/numbers.ts';
import { LinePlot } from '../../../plot/line-plot.tsx';
import { Knob } from './knob.tsx';
import { useAnswer } from './use-answer.ts';

const OBSERVATIONS = 9;
const WARP = 32;
const LARGEST_BLOCK = 1024;
const BLOCK_SIZES = Array.from({ length: LARGEST_BLOCK / WARP }, (_, n) => WARP * (n + 1));

/** How the lines of the cards look. */
const STYLES = [
  { color: 'var(--accent)', dash: '' },
  { color: 'var(--good)', dash: '6 3' },
];

export function LetkfFigure() {
  return (
    <>
      <PointFigures />
      <OccupancyFigure />
    </>
  );
}

function PointFigures() {
  const [members, setMembers] = useState(12);
  const [observationError, setObservationError] = useState(0.5);
  const [correlationLength, setCorrelationLength] = useState(0);
  const [inflation, setInflation] = useState(1.1);
  const [wantedMember, setMember] = useState(3);
  const [observation, setObservation] = useState(4);
  const [rank, setRank] = useState<number | undefined>(undefined);
  const asked = useMemo(
    () => ({ members, observationError, correlationLength, inflation }),
    [members, observationError, correlationLength, inflation],
  );
  const { answer, question = asked } = useAnswer('analysePoint', asked);
  const k = question.members;
  const member = Math.min(wantedMember, k - 1);
  const subject = {
    name: 'shoal-letkf',
    subtitle: `k = ${k}, σₒ = ${question.observationError}, L = ${question.correlationLength}, ρ = ${question.inflation}`,
  };
  const point = (row: number, column: number): void => {
    setMember(row);
    setObservation(column);
  };
  const pointAtObservation = (_row: number, column: number): void => setObservation(column);
  const wide = {
    rows: k,
    columns: OBSERVATIONS,
    rowName: 'member',
    columnName: 'observation',
    row: member,
    column: observation,
    onPoint: point,
  };
  const square = {
    rows: k,
    columns: k,
    rowName: 'member',
    columnName: 'member',
    row: member,
    onPoint: setMember,
  };
  return (
    <>
      <div class="papers-knobs">
        <Knob name="Members k" value={members} from={2} to={32} onChange={setMembers} />
        <Knob name="Error σₒ" value={observationError} from={0.05} to={2} step={0.05} onChange={setObservationError} />
        <Knob
          name="Errors’ length L"
          unit="cells"
          value={correlationLength}
          from={0}
          to={4}
          step={0.25}
          onChange={setCorrelationLength}
        />
        <Knob name="Inflation ρ" value={inflation} from={1} to={2} step={0.05} onChange={setInflation} />
        <Knob name="Member i" value={member} from={0} to={k - 1} onChange={setMember} />
        <Knob name="Observation j" value={observation} from={0} to={OBSERVATIONS - 1} onChange={setObservation} />
      </div>
      <Figure
        id="letkf-point"
        title="One grid point, analysed in the space of the ensemble"
        help="The point and its eight neighbours are observed. Point at a row: it is the same member in every picture. Smaller errors take more from the diagonal of W."
        table={() => ({
          columns: ['member', ...Array.from({ length: k }, (_, j) => `W, member ${j}`)],
          rows: Array.from({ length: answer ? k : 0 }, (_, i) => [
            i,
            ...(answer?.root.subarray(i * k, (i + 1) * k) ?? []),
          ]),
        })}
        subject={subject}
        note={
          answer && (
            <>
              Member {member}: C of observation {observation}{' '}
              <b>{formatNumber(answer.c[member * OBSERVATIONS + observation])}</b>, its own weight in W{' '}
              <b>{formatNumber(answer.root[member * (k + 1)])}</b>; without observations it is √ρ ={' '}
              {formatNumber(Math.sqrt(question.inflation))}.
            </>
          )
        }
      >
        {answer && (
          <div class="matrices">
            <Matrix name="Yᵀ, anomalies" values={answer.observed} {...wide} />
            <Matrix
              name="R⁻¹"
              values={answer.inverseR}
              rows={OBSERVATIONS}
              columns={OBSERVATIONS}
              rowName="observation"
              columnName="observation"
              column={observation}
              onPoint={pointAtObservation}
            />
            <Matrix name="C = YᵀR⁻¹" values={answer.c} {...wide} />
            <Matrix name="P = C Y" values={answer.product} {...square} />
            <Matrix name="P̃ᵃ = [(k − 1) I/ρ + P]⁻¹" values={answer.covariance} {...square} />
            <Matrix name="W, the root of (k − 1) P̃ᵃ" values={answer.root} {...square} />
          </div>
        )}
      </Figure>
      <Figure
        id="letkf-eigenvalues"
        title="Eigenvalues of I + YᵀR⁻¹Y"
        help="Each is a direction among the members. Where it is 1 the observations say nothing: nine of them see at most nine directions."
        table={() => ({
          columns: ['rank', 'eigenvalue'],
          rows: Array.from(answer?.eigenvalues ?? [], (value, n) => [n + 1, value]),
        })}
        subject={{ ...subject, name: 'shoal-letkf-eigenvalues' }}
      >
        <LinePlot
          summary="The eigenvalues, the largest first."
          x={{ label: 'Rank', unit: '', scale: 'linear', whole: true }}
          y={{ label: 'Eigenvalue', unit: '', scale: 'log', include: [1] }}
          series={[
            {
              key: 'eigenvalues',
              label: 'λ',
              color: 'var(--accent)',
              dash: '',
              marked: true,
              points: Array.from(answer?.eigenvalues ?? [], (y, n) => ({ x: n + 1, y })),
            },
          ]}
          pointing={{ hovered: rank, hover: setRank }}
          nameOf={(x) => `rank ${x}`}
        />
      </Figure>
    </>
  );
}

function OccupancyFigure() {
  const [registers, setRegisters] = useState(20);
  const [sharedMemory, setSharedMemory] = useState(2);
  const [threads, setThreads] = useState<number | undefined>(256);
  const shares = PAPER_CARDS.map((card) =>
    BLOCK_SIZES.map((size) => 100 * occupancy(card, { threads: size, registers, sharedMemory: 1024 * sharedMemory })),
  );
  return (
    <>
      <div class="papers-knobs">
        <Knob name="Registers" unit="a thread" value={registers} from={4} to={63} onChange={setRegisters} />
        <Knob
          name="Shared memory"
          unit="KiB"
          value={sharedMemory}
          from={0}
          to={48}
          step={0.5}
          onChange={setSharedMemory}
        />
      </div>
      <Figure
        id="letkf-occupancy"
        title="Occupancy over the size of a block"
        help="The share of warps that a multiprocessor holds at once, by NVIDIA’s limits of both cards: threads, blocks, registers and shared memory are given to whole blocks. 0 means that not even one block fits."
        table={() => ({
          columns: ['threads', ...PAPER_CARDS.map(({ name }) => `${name}, %`)],
          rows: BLOCK_SIZES.map((size, n) => [size, ...shares.map((share) => share[n])]),
        })}
        subject={{
          name: 'shoal-occupancy',
          subtitle: `${registers} registers a thread, ${sharedMemory} KiB of shared memory a block`,
        }}
      >
        <LinePlot
          summary="Occupancy of both cards over the threads in a block."
          x={{ label: 'Threads in a block', unit: '', scale: 'linear', domain: [0, LARGEST_BLOCK], whole: true }}
          y={{ label: 'Occupancy', unit: '%', scale: 'linear', domain: [0, 100] }}
          series={PAPER_CARDS.map(({ name }, card) => ({
            key: name,
            label: name,
            marked: true,
            ...STYLES[card],
            points: BLOCK_SIZES.map((x, n) => ({ x, y: shares[card][n] })),
          }))}
          pointing={{ hovered: threads, hover: setThreads, reach: WARP / 2 }}
          nameOf={(x) => `${x} threads`}
        />
      </Figure>
    </>
  );
}
