/**
 * What is beside the map of a sweep: the scans that can be opened, the choices of what is drawn, and what is read of the cell
 * under the pointer.
 */
import type { Scenario } from '../../../../engine/index.ts';
import { useLaboratory } from '../../../page/laboratory.ts';
import { kindTitle } from '../../../document/views/method-style.ts';
import { scansOf, scanTitle, type Scan, sweepsOf, type SweepView } from '../sweeps-state.ts';
import './sweeps.css';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { variedAxes, sweepStyles, medianTrial, trialsOf, type Cell, type Trial } from '../arrangement.ts';
import { type SweepTable, axisTexts } from '../../reading/sweep-table.ts';
import { formatMeasured, formatQuantity } from '../../../format/numbers.ts';
import { contestLines, verdictWords, type Contest } from '../contest.ts';
import { counted, spanWords, lossWords, trialWords } from '../words.ts';

interface ScanListProps {
  readonly scenario: Scenario;
}

function methodTitle({ methods }: Scenario, { method }: Scan): string {
  const kind = methods.find(({ label }) => label === method)?.kind;
  return method === kind ? kindTitle(kind) : method;
}

export function ScanButtons({ scenario }: ScanListProps) {
  const { overlays } = useLaboratory();
  const sweeps = sweepsOf(useLaboratory());
  return (
    <ul class="scan-list">
      {scansOf(scenario).map((scan) => (
        <li key={`${scan.method} ${scanTitle(scan)}`}>
          <button
            type="button"
            class="button"
            onClick={() => {
              sweeps.openScan(scenario, scan);
              overlays.openOverlay('sweeps');
            }}
          >
            {methodTitle(scenario, scan)}
            <span class="label">{scanTitle(scan)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** With its title, where a scenario has any. */
export function ScanList({ scenario }: ScanListProps) {
  if (scansOf(scenario).length === 0) return null;
  return (
    <section aria-label="How the settings were found">
      <p class="label">How the settings were found, as a map:</p>
      <ScanButtons scenario={scenario} />
    </section>
  );
}

const VIEWS: readonly { readonly id: SweepView; readonly title: string }[] = [
  { id: 'map', title: 'Heat map' },
  { id: 'lines', title: 'Lines' },
  { id: 'methods', title: 'Methods' },
];

const NONE = 'none';

interface SelectProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly options: readonly { readonly value: number | undefined; readonly title: string }[];
  readonly onChange: (value: number | undefined) => void;
}

function Select({ label, value, options, onChange }: SelectProps) {
  const id = useId();
  return (
    <div class="sweep-choice">
      <label class="label" for={id}>
        {label}
      </label>
      <select
        id={id}
        class="select"
        value={String(value ?? NONE)}
        onChange={({ currentTarget }) => {
          const chosen = options.find((option) => String(option.value ?? NONE) === currentTarget.value);
          if (chosen) onChange(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.title} value={String(option.value ?? NONE)}>
            {option.title}
          </option>
        ))}
      </select>
    </div>
  );
}

export function SweepControls({ table }: { readonly table: SweepTable }) {
  const { view, subject, axes, chooseSubject, choosePlace } = sweepsOf(useLaboratory());
  const { measure, method } = subject.value;
  const varied = variedAxes(table);
  const placed = varied.map((axis) => ({ value: axis, title: table.axes[axis].title }));
  const isMethods = view.value === 'methods';
  return (
    <div class="sweep-controls" role="group" aria-label="What is drawn">
      <Segments>
        {VIEWS.map(({ id, title }) => (
          <button
            key={id}
            type="button"
            aria-pressed={view.value === id}
            onClick={() => {
              view.value = id;
            }}
          >
            {title}
          </button>
        ))}
      </Segments>
      <Select
        label="Measure"
        value={measure}
        options={table.measures.map(({ title }, value) => ({ value, title }))}
        onChange={(chosen = 0) => chooseSubject({ measure: chosen })}
      />
      {!isMethods && (
        <Select
          label="Method"
          value={method}
          options={sweepStyles(table).map(({ title }, value) => ({ value, title }))}
          onChange={(chosen = 0) => chooseSubject({ method: chosen })}
        />
      )}
      {varied.length > 0 && (
        <Select label="Across" value={axes.value.x} options={placed} onChange={(chosen) => choosePlace('x', chosen)} />
      )}
      {varied.length > 1 && (
        <Select
          label={view.value === 'lines' ? 'A line each' : 'Upwards'}
          value={axes.value.y}
          options={[...placed, { value: undefined, title: 'none' }]}
          onChange={(chosen) => choosePlace('y', chosen)}
        />
      )}
    </div>
  );
}

function Segments({ children }: { readonly children: ComponentChildren }) {
  return (
    <div class="sweep-segments" role="group" aria-label="As">
      {children}
    </div>
  );
}

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
