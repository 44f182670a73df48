/**
 * Results of sweeps: one scenario over values of its settings and over seeds, as heat maps and lines. They are read from the
 * `sweep.json` that `shoal sweep` leaves in its folder, or are the scans behind the scenarios that ship.
 */
import { beginningOf, JsonFileButton, Page } from '../../../controls/dialog.tsx';
import { MOST_SWEEP_BYTES, type SweepTable } from '../../reading/sweep-table.ts';
import { useLaboratory, type Laboratory } from '../../../page/laboratory.ts';
import { counted, findingWords, contestTable, mapTable, measureTitle } from '../words.ts';
import './sweeps.css';
import { sweepsOf, scansOf } from '../sweeps-state.ts';
import { useEffect, useState, useMemo } from 'preact/hooks';
import { BUNDLED_SCENARIOS, groupScenarios, catalogueOf } from '../../../document/scenario/bundled-scenarios.ts';
import { ScanButtons, SweepControls, Readout } from './controls.tsx';
import { Figure } from '../../../figures/figure.tsx';
import { useRun } from '../../../document/context.ts';
import { championsOf, championWords, whyNoContest } from '../contest.ts';
import { sweepStyles, placeWords, variedAxes, medianTrial, trialsOf } from '../arrangement.ts';
import { HeatMap, MethodMap } from './heat-map.tsx';
import { LineMap } from './line-map.tsx';
import { ScenarioError, assignPath, formatScenario, isRecord } from '../../../../engine/index.ts';
import type { RunView } from '../../../document/run-view.ts';
import { openingOf } from '../../opening/open-scenario.ts';

/** Longest title and name of a scenario, by its schema. */
const LONGEST_TITLE = 200;
const LONGEST_NAME = 64;

/** A case of a sweep as a scenario file: what was varied set to its values, and its seed. */
interface CaseFile {
  /** Name of the file that it would be saved as. */
  readonly name: string;
  readonly text: string;
}

/** @returns the first letters of a text that is too long, and a sign that there are more */
function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/**
 * @param row of the table
 * @param seed undefined for the one of the row
 * @throws ScenarioError where the scenario has no such setting
 */
export function caseFile(table: SweepTable, row: number, seed: number = table.rowSeeds[row]): CaseFile {
  const { axes, places, scenario } = table;
  const at = [...places.subarray(row * axes.length, (row + 1) * axes.length)];
  // Null means a setting that the scenario does not have and a list of cases omits.
  const changed = axes.reduce<unknown>((raw, { path, values }, axis) => {
    const value = values[at[axis]];
    return value === null ? raw : assignPath(raw, path, value, table.source);
  }, scenario);
  const raw = isRecord(changed) ? changed : {};
  const [name, title] = [raw['name'], raw['title']].map((text) => (typeof text === 'string' ? text : ''));
  const words = placeWords(table, at, variedAxes(table));
  // What the sweep's own runs have given is not what this one was expected to give.
  const { expected: _expected, ...rest } = raw;
  const file = {
    ...rest,
    title: cut([title || name, words, `seed ${seed}`].filter(Boolean).join(', '), LONGEST_TITLE),
    seed,
  };
  return { name: `${cut(name || 'case', LONGEST_NAME)}-${row}-seed-${seed}.shoal.json`, text: formatScenario(file) };
}

/** Opens one run of a combination in the place of the one on screen: that of the chosen seed, else the one that has the median. */
export function openCell(laboratory: Laboratory, run: RunView, combination: number): void {
  const { table, combinations, subject, seed, failure } = sweepsOf(laboratory);
  const shown = table.value;
  const chosen = combinations.value[combination];
  if (!shown || !chosen) return;
  const trials = trialsOf(shown, chosen, subject.value);
  const trial = trials.find((each) => each.seed === seed.value) ?? medianTrial(trials);
  if (!trial) return;
  try {
    const { name, text } = caseFile(shown, trial.row, trial.seed ?? seed.value ?? shown.seeds[0]);
    laboratory.overlays.closeOverlay();
    const file = { name, bytes: new TextEncoder().encode(text), siblings: () => Promise.resolve(undefined) };
    void openingOf(run).openFile(file, 'run');
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    failure.value = error.message;
  }
}

/** A sweep that is open: what is drawn of it, the figure, and what the cell that is pointed at has. */
function SweepContent({ table }: { readonly table: SweepTable }) {
  const { view } = sweepsOf(useLaboratory());
  return (
    <>
      <SweepControls table={table} />
      <div class="sweep-panes">
        {view.value === 'methods' ? <MethodsFigure table={table} /> : <MeasureFigure table={table} />}
        <Readout table={table} />
      </div>
    </>
  );
}

const KEYS = 'Arrows move from cell to cell, Enter or a click opens the case in the laboratory.';
const MAP_HELP = `Median over the seeds by colour. A cell is hatched as high as the share of its seeds that diverged. The ring is the best of the cells in which none did; those with a dashed edge do not differ from it significantly: their 95 % intervals overlap. ${KEYS}`;
const LINES_HELP = `Median over the seeds, with the interval that holds it with 95 %. A line has a gap where no seed has a value. ${KEYS}`;
const METHODS_HELP = `A method is named where it is better than each of the others: the interval of the paired differences over the seeds, which share truth and observations, leaves zero. Settings were chosen on the same seeds, which favours the method with more of them. ${KEYS}`;

/** One measure of one method, as a heat map or as lines. */
function MeasureFigure({ table }: { readonly table: SweepTable }) {
  const laboratory = useLaboratory();
  const run = useRun();
  const { view, subject, combinations, cells, findings, arrangement } = sweepsOf(laboratory);
  const { measure, method } = subject.value;
  const { title, unit } = table.measures[measure];
  const style = sweepStyles(table)[method];
  const told = { table, combinations: combinations.value, cells: cells.value, unit };
  const found = findings.value && findingWords(told, findings.value);
  const open = (combination: number): void => openCell(laboratory, run, combination);
  const isLines = view.value === 'lines';
  const Picture = isLines ? LineMap : HeatMap;
  return (
    <Figure
      id={isLines ? 'lines' : 'map'}
      title={`${style.title}: ${title}`}
      help={isLines ? LINES_HELP : MAP_HELP}
      table={() => mapTable({ ...told, subject: subject.value })}
      subject={{ name: table.name, subtitle: table.source }}
      note={[found, table.remark].filter(Boolean).join(' ')}
    >
      {arrangement.value && <Picture table={table} arrangement={arrangement.value} onOpen={open} />}
    </Figure>
  );
}

/** The methods against each other by one measure. */
function MethodsFigure({ table }: { readonly table: SweepTable }) {
  const laboratory = useLaboratory();
  const run = useRun();
  const { subject, combinations, contests, arrangement } = sweepsOf(laboratory);
  const { measure } = subject.value;
  const why = whyNoContest(table, measure);
  const styles = sweepStyles(table);
  const all = combinations.value;
  const champions = useMemo(
    () => (why === '' ? championsOf(table, all, measure) : undefined),
    [table, all, measure, why],
  );
  return (
    <Figure
      id="best-methods"
      title={`Best method: ${measureTitle(table.measures[measure])}`}
      help={METHODS_HELP}
      empty={why === '' ? undefined : why}
      table={() => contestTable({ table, combinations: all, contests: contests.value ?? [], styles, measure })}
      subject={{ name: table.name, subtitle: table.source }}
      note={champions && championWords(table, all, champions, styles, table.measures[measure].unit)}
    >
      {arrangement.value && contests.value && (
        <MethodMap
          table={table}
          arrangement={arrangement.value}
          contests={contests.value}
          onOpen={(combination) => openCell(laboratory, run, combination)}
        />
      )}
    </Figure>
  );
}

/** The scenarios in the order of the gallery. */
const ORDER = groupScenarios(BUNDLED_SCENARIOS.map(({ name }) => name)).flatMap(({ names }) => names);

/** @returns the first of them, and soon all: each scenario is parsed in a turn of the page of its own */
function useOneByOne(names: readonly string[]): readonly string[] {
  const [count, setCount] = useState(1);
  useEffect(() => {
    if (count >= names.length) return undefined;
    const timer = setTimeout(() => setCount(count + 1));
    return () => clearTimeout(timer);
  }, [count, names]);
  return names.slice(0, count);
}

/** The page of sweeps before one is opened: what a sweep is, how one is made, and the scans that ship. */
function SweepStart() {
  const names = useOneByOne(ORDER);
  return (
    <div class="sweep-start">
      <div class="sweep-words">
        <p>
          A sweep runs one scenario over values of its settings, each with several seeds, since one seed and one setting
          decide nothing. Here it becomes a map: the median over the seeds with its interval, where runs diverged, which
          cell is best and which are not significantly different from it.
        </p>
        <p>
          <code>npm run shoal -- sweep my-sweep.json --out my-sweep</code> makes one. Open the <code>sweep.json</code>{' '}
          that it leaves in its folder, or drop it here.
        </p>
      </div>
      <section aria-label="Scans of the shipped scenarios">
        <h3>Scans of the shipped scenarios</h3>
        <p class="label">
          How the settings of their methods were found. Of a scan the medians over its seeds are kept.
        </p>
        <ul class="sweep-scans">
          {names.map((name) => (
            <ScansOfScenario key={name} name={name} />
          ))}
        </ul>
      </section>
    </div>
  );
}

function ScansOfScenario({ name }: { readonly name: string }) {
  const { bundledScenario } = catalogueOf(useLaboratory());
  const { scenario } = bundledScenario(name);
  if (scansOf(scenario).length === 0) return null;
  return (
    <li>
      <strong>{scenario.title || name}</strong>
      <ScanButtons scenario={scenario} />
    </li>
  );
}

export function SweepsPage() {
  const {
    overlays: { closeOverlay },
  } = useLaboratory();
  const { table, reading, failure, open, close } = sweepsOf(useLaboratory());
  const read = (file: File): void => {
    void open({ name: file.name, bytes: beginningOf(file, MOST_SWEEP_BYTES) });
  };
  const shown = table.value;
  return (
    <Page
      title="Sweeps"
      class="sweeps"
      source={shown && sourceWords(shown)}
      actions={
        <>
          {shown && (
            <button type="button" class="button" onClick={close}>
              Scans that ship…
            </button>
          )}
          <JsonFileButton label="The sweep.json of a sweep's folder" onFile={read}>
            Open sweep.json…
          </JsonFileButton>
        </>
      }
      onFile={read}
      onClose={closeOverlay}
    >
      {reading.value !== undefined && (
        <p class="sweep-message" role="status">
          Reading {reading.value}
        </p>
      )}
      {failure.value !== undefined && (
        <p class="sweep-message error" role="alert">
          {failure.value}
        </p>
      )}
      {shown ? <SweepContent table={shown} /> : <SweepStart />}
    </Page>
  );
}

/** `sweep.json · 48 cases, 5 seeds · wasm, WebAssembly SIMD`. */
function sourceWords({ source, rows, seeds, backend, kind }: SweepTable): string {
  const what = kind === 'medians' ? 'setting' : 'case';
  return [source, `${counted(rows, what)}, ${counted(seeds.length, 'seed')}`, backend].filter(Boolean).join(' · ');
}
