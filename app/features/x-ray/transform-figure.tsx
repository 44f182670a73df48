/** The transform of a local ensemble filter at the place as matrices, linked with stems and members, and its eigenvalues. */
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { EnsembleTransform } from '../../../engine/index.ts';
import { useRun } from '../../document/context.ts';
import type { MethodStyle } from '../../document/views/method-style.ts';
import { Figure } from '../../figures/figure.tsx';
import { largestOf } from '../../fields/ranges.ts';
import { Matrix } from '../../figures/matrix.tsx';
import type { DataTable } from '../../format/tables.ts';
import { formatNumber } from '../../format/numbers.ts';
import { LinePlot } from '../../plot/line-plot.tsx';
import { xrayOf } from './xray-state.ts';

const EMPTY =
  'The matrices with which a LETKF analyses the place appear here, once a cycle with observations is asked about.';

const HELP =
  'C = YᵀR⁻¹ of the observations in reach. P̃ᵃ is the covariance of the members’ weights, and W = [(k − 1)P̃ᵃ]^½ turns forecast anomalies into analysed ones, before relaxation, rotation and additive inflation. The colours of both span what is off the diagonal. A row is the same member in each; a column of C is an observation, whose stem is marked.';

const EIGENVALUES_HELP =
  'Of I + ρ YᵀR⁻¹Y/(k − 1). Each is a direction among the members, in which the analysis divides the variance of the forecast by it. Where it is 1 the observations say nothing.';

interface MethodTransform {
  readonly style: MethodStyle;
  readonly of: EnsembleTransform;
}

/** @returns the largest size of an entry off the diagonal of a square matrix */
function largestApart(values: Float64Array): number {
  const order = Math.sqrt(values.length);
  return largestOf(values.filter((_, at) => at % (order + 1) !== 0));
}

/** @returns a row for each entry of a matrix. @param columns their names */
function entries(name: string, values: Float64Array, columns: readonly string[]): (string | number)[][] {
  const width = columns.length;
  return Array.from(values, (value, at) => [name, Math.floor(at / width), columns[at % width], value]);
}

/** @returns every entry of the three matrices, a row for each */
export function transformTable(transform: EnsembleTransform): DataTable {
  const { observations, observationWeights, covariance, root, eigenvalues } = transform;
  const k = eigenvalues.length;
  const columns = [...observations].map((index) => `observation ${index}`);
  const members = Array.from({ length: k }, (_, member) => `member ${member}`);
  return {
    columns: ['matrix', 'member', 'column', 'value'],
    rows: [
      ...entries('C', observationWeights, columns),
      ...entries('Pa', covariance, members),
      ...entries('W', root, members),
    ],
  };
}

function Matrices({ of }: { readonly of: EnsembleTransform }) {
  const { pointed, pointedMember } = xrayOf(useRun());
  const { observations, observationWeights, covariance, root, eigenvalues } = of;
  const k = eigenvalues.length;
  const largest = useMemo(() => [covariance, root].map(largestApart), [covariance, root]);
  const member = pointedMember.value;
  const row = member !== undefined && member < k ? member : undefined;
  const column = pointed.value === undefined ? -1 : observations.indexOf(pointed.value);
  const leave = (): void => {
    pointed.value = undefined;
    pointedMember.value = undefined;
  };
  const shared = { rows: k, rowName: 'member', row, onLeave: leave };
  const square = {
    ...shared,
    columns: k,
    columnName: 'member',
    onPoint: (next: number) => {
      pointedMember.value = next;
    },
  };
  return (
    <div class="xray-matrices">
      {observations.length > 0 && (
        <div class="xray-wide">
          <Matrix
            name="C = YᵀR⁻¹"
            values={observationWeights}
            aspect={0.4}
            {...shared}
            columns={observations.length}
            columnName="observation in reach"
            column={column < 0 ? undefined : column}
            onPoint={(next, at) => {
              pointedMember.value = next;
              pointed.value = observations[at];
            }}
          />
        </div>
      )}
      <Matrix name="P̃ᵃ" values={covariance} largest={largest[0]} {...square} />
      <Matrix name="W" values={root} largest={largest[1]} {...square} />
    </div>
  );
}

/** What is pointed at, in numbers; else what the sizes of the matrices are. */
function Pointed({ of, isRing }: { readonly of: EnsembleTransform; readonly isRing: boolean }) {
  const { pointed, pointedMember, answers } = xrayOf(useRun());
  const { observations, observationWeights, root, eigenvalues, place } = of;
  const k = eigenvalues.length;
  const cell = answers.value?.place.cell;
  const isElsewhere = cell !== undefined && (cell.x !== place.x || cell.y !== place.y);
  const [member, observation] = [pointedMember.value, pointed.value];
  const at = observation === undefined ? -1 : observations.indexOf(observation);
  return (
    <>
      {isElsewhere &&
        `Of the node nearest to the place, ${isRing ? place.x : `[${place.x}, ${place.y}]`}, between which weights are interpolated. `}
      {member === undefined || member >= k ? (
        `${k} members, ${observations.length} ${observations.length === 1 ? 'observation' : 'observations'} in reach.`
      ) : (
        <>
          Member {member}: own weight in W <b>{formatNumber(root[member * (k + 1)])}</b>
          {at >= 0 && (
            <>
              , C of observation {observation}{' '}
              <b>{formatNumber(observationWeights[member * observations.length + at])}</b>
            </>
          )}
          .
        </>
      )}
    </>
  );
}

export function TransformFigures({ styles }: { readonly styles: readonly MethodStyle[] }) {
  const { answers } = xrayOf(useRun());
  const { info } = useRun().course;
  const chosen = useSignal<string | undefined>(undefined);
  const rank = useSignal<number | undefined>(undefined);
  const found = styles.flatMap((style): MethodTransform[] => {
    const weights = answers.value?.byMethod.get(style.label)?.weights;
    return weights ? [{ style, of: weights.transform }] : [];
  });
  const shown = found.find(({ style }) => style.label === chosen.value) ?? found.at(0);
  // The figure of the weights says how to see a LETKF.
  if (!shown && !styles.some(({ kind }) => kind === 'letkf')) return null;
  const values = [...(shown?.of.eigenvalues ?? [])];
  const named = shown && found.length > 1 ? ` of ${shown.style.title}` : '';
  const cycle = answers.value && shown ? `, cycle ${answers.value.cycle}` : '';
  return (
    <>
      <Figure
        id="transform"
        title={`Ensemble transform${cycle}`}
        help={HELP}
        table={() => (shown ? transformTable(shown.of) : { columns: [], rows: [] })}
        empty={shown ? undefined : EMPTY}
        note={shown && <Pointed of={shown.of} isRing={info.value?.basin.isRing === true} />}
        controls={
          found.length > 1 && (
            <select
              class="figure-choice"
              aria-label="Method whose transform is shown"
              value={shown?.style.label}
              onChange={({ currentTarget: { value } }) => {
                chosen.value = value;
              }}
            >
              {found.map(({ style: { label, title } }) => (
                <option key={label} value={label}>
                  {title}
                </option>
              ))}
            </select>
          )
        }
      >
        {shown && <Matrices of={shown.of} />}
      </Figure>
      {shown && (
        <Figure
          id="transform-eigenvalues"
          title={`Eigenvalues${named}${cycle}`}
          help={EIGENVALUES_HELP}
          table={() => ({ columns: ['rank', 'eigenvalue'], rows: values.map((value, n) => [n + 1, value]) })}
        >
          <LinePlot
            summary={`${values.length} eigenvalues, from ${formatNumber(values[0])} to ${formatNumber(values.at(-1))}.`}
            x={{ label: 'Rank', unit: '', scale: 'linear', whole: true }}
            y={{ label: 'Eigenvalue', unit: '', scale: 'log', include: [1] }}
            series={[
              {
                key: 'eigenvalues',
                label: 'λ',
                color: shown.style.colour,
                dash: '',
                marked: true,
                unlabelled: true,
                points: values.map((y, n) => ({ x: n + 1, y })),
              },
            ]}
            heightEm={10}
            pointing={{
              hovered: rank.value,
              hover: (next) => {
                rank.value = next;
              },
            }}
            nameOf={(x) => `rank ${x}`}
          />
        </Figure>
      )}
    </>
  );
}
