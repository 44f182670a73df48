/** The readout of the cell under the pointer: its place, its median with interval and range, and every seed. */
import { useId } from 'preact/hooks';
import { formatMeasured, formatQuantity } from '../../../format/numbers.ts';
import { useLaboratory } from '../../../page/laboratory.ts';
import { medianTrial, trialsOf, type Cell, type Trial } from '../cells.ts';
import { contestLines, verdictWords, type Contest } from '../contest.ts';
import { sweepStyles } from '../arrangement.ts';
import { axisTexts, type SweepTable } from '../../reading/sweep-table.ts';
import { counted, spanWords, lossWords, trialWords } from '../words.ts';
import { sweepsOf } from '../sweeps-state.ts';

export function Readout({ table }: { readonly table: SweepTable }) {
  const { combinations, cells, contests, subject, told, seed, view } = sweepsOf(useLaboratory());
  const id = useId();
  const combination = combinations.value[told.value];
  const cell = cells.value[told.value];
  if (!combination || !cell) return null;
  const { title, unit } = table.measures[subject.value.measure];
  const style = sweepStyles(table)[subject.value.method];
  const contest = view.value === 'methods' ? contests.value?.[told.value] : undefined;
  const trials = trialsOf(table, combination, subject.value);
  const loss = lossWords(cell, table.kind);
  const isMedian = table.kind === 'medians';
  const opens = isMedian ? undefined : (trials.find((trial) => trial.seed === seed.value) ?? medianTrial(trials));
  return (
    <aside class="sweep-readout" aria-label="The cell">
      <dl>
        {table.axes.map((axis, number) => (
          <div key={axis.path}>
            <dt title={axis.path}>{axis.title}</dt>
            <dd>{axisTexts(axis)[combination.at[number]]}</dd>
          </div>
        ))}
      </dl>
      {contest ? (
        <ContestReadout table={table} contest={contest} unit={unit} />
      ) : (
        <CellReadout cell={cell} title={`${style.title}: ${title}`} unit={unit} isMedian={isMedian} />
      )}
      {!contest && loss !== '' && <p class="sweep-loss">{loss}</p>}
      {isMedian ? (
        <p class="label">Single seeds were not kept. Opening a cell runs it with seed {table.seeds[0]}.</p>
      ) : (
        <>
          {!contest && <Seeds trials={trials} unit={unit} opens={opens} />}
          <div class="sweep-choice">
            <label class="label" for={id}>
              Opening a cell runs
            </label>
            <select
              id={id}
              class="select"
              value={String(seed.value ?? 'median')}
              onChange={({ currentTarget: { value } }) => {
                seed.value = value === 'median' ? undefined : Number(value);
              }}
            >
              <option value="median">the seed with its median</option>
              {table.seeds.map((each) => (
                <option key={each} value={String(each)}>
                  seed {each}
                </option>
              ))}
            </select>
          </div>
        </>
      )}
    </aside>
  );
}

interface SeedsProps {
  readonly trials: readonly Trial[];
  readonly unit: string;
  /** The one that opening the cell runs. */
  readonly opens: Trial | undefined;
}

function Seeds({ trials, unit, opens }: SeedsProps) {
  return (
    <div class="sweep-seeds" role="region" aria-label="Every seed" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Seed</th>
            <th scope="col">Value{unit === '' ? '' : ` (${unit})`}</th>
          </tr>
        </thead>
        <tbody>
          {trials.map((trial) => (
            <tr key={trial.row} class={trial.row === opens?.row ? 'chosen' : undefined}>
              <th scope="row">{trial.seed}</th>
              {trial.state === 'complete' && trial.value !== null ? (
                <td>{formatMeasured(trial.value)}</td>
              ) : (
                <td class="sweep-lost">{trialWords(trial, unit)}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CellProps {
  readonly cell: Cell;
  readonly title: string;
  readonly unit: string;
  readonly isMedian: boolean;
}

function CellReadout({ cell: { median, interval, range, seeds }, title, unit, isMedian }: CellProps) {
  return (
    <>
      <p class="label">{title}</p>
      <p class="sweep-median">
        {formatQuantity(median, unit)}
        <span class="label"> median{isMedian ? ` of ${counted(seeds, 'seed')}` : ''}</span>
      </p>
      {!isMedian && (
        <dl>
          <div>
            <dt>95 % interval</dt>
            <dd>{interval ? spanWords(interval) : 'too few seeds'}</dd>
          </div>
          <div>
            <dt>Range</dt>
            <dd>{range ? spanWords(range) : '–'}</dd>
          </div>
        </dl>
      )}
    </>
  );
}

interface ContestProps {
  readonly table: SweepTable;
  readonly contest: Contest;
  readonly unit: string;
}

function ContestReadout({ table, contest, unit }: ContestProps) {
  const styles = sweepStyles(table);
  return (
    <>
      <p class="sweep-verdict">{verdictWords(contest, styles)}</p>
      <ul class="sweep-rivals">
        {contestLines(contest, styles, unit).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  );
}
