/**
 * The pane about the scenario that runs, at the head of the evidence: one line, or open with its text and what runs over several seeds
 * have given, beside the run on screen.
 */
import type { PageRunInfo } from '../../document/run/page-run.ts';
import { Icon } from '../../controls/buttons.tsx';
import { LessonLine } from '../lessons/lesson-strip.tsx';
import { useRun } from '../../document/context.ts';
import { useLaboratory, type Laboratory } from '../../page/laboratory.ts';
import { whenDrawn } from '../../page/render-pace.ts';
import { thinnedTo } from '../../document/run/method-records.ts';
import {
  expectedRows,
  expectedVerdict,
  haveSameSettings,
  resultsSoFar,
  rowTitle,
  type ExpectedRow,
} from '../../document/scenario/bundled-scenarios.ts';
import { lessonOf } from '../lessons/lesson-state.ts';
import type { Command } from '../../page/commands.ts';
import type { ComponentChildren } from 'preact';
import type { Scenario } from '../../../engine/index.ts';
import { GlossedText } from '../../controls/line-name.tsx';
import { formatColumn } from '../../format/numbers.ts';
import { methodStyles } from '../../document/views/method-style.ts';
import { ScanList } from '../sweeps/page/controls.tsx';
import './about.css';

interface ScenarioWordsProps {
  readonly scenario: Scenario;
  /** The expected results; those of a run that is on screen are beside them. */
  readonly rows?: readonly ExpectedRow[];
  /** Whether the run lies inside, in a sentence. */
  readonly found?: string;
  /** What leads into its lesson. */
  readonly lesson?: ComponentChildren;
}

export function ScenarioWords({ scenario, rows = expectedRows(scenario, []), found = '', lesson }: ScenarioWordsProps) {
  const { description, expected } = scenario;
  const paragraphs = description.split(/\n\s*\n/).filter((text) => text.trim() !== '');
  return (
    <div class="scenario-words">
      {paragraphs.length === 0 && <p class="label">This scenario says nothing of itself.</p>}
      {paragraphs.map((text) => (
        <p key={text}>
          <GlossedText text={text} />
        </p>
      ))}
      {lesson}
      {expected?.verdict !== undefined && <p class="scenario-verdict">{expected.verdict}</p>}
      {expected !== undefined && rows.length > 0 && (
        <>
          <ExpectedTable rows={rows} scenario={scenario} />
          <p class="label">
            Analysis, means over the cycles {spinupWords(scenario)}; median, lowest and highest of{' '}
            {expected.seeds.length} {expected.seeds.length === 1 ? 'seed' : 'seeds'}. {found}
          </p>
        </>
      )}
      <ScanList scenario={scenario} />
    </div>
  );
}

function spinupWords({ experiment: { spinup, cycles } }: Scenario): string {
  return spinup > 0 && spinup < cycles ? `from ${spinup} on` : 'of the run';
}

/** Numbers of a row as they are shown: a skill in percent. */
function shown({ variable }: ExpectedRow, value: number): number {
  return variable === 'skill' ? 100 * value : value;
}

function ExpectedTable({ rows, scenario }: { readonly rows: readonly ExpectedRow[]; readonly scenario: Scenario }) {
  const styles = methodStyles(scenario.methods.map(({ label, kind }) => ({ label, kind, members: 1 })));
  const variables = [...new Set(rows.map(({ variable }) => variable))];
  const hasRun = rows.some(({ found }) => found !== undefined);
  return (
    <table class="expected">
      <thead>
        <tr>
          <th scope="col">Expected</th>
          <th scope="col">Median</th>
          <th scope="col">Lowest</th>
          <th scope="col">Highest</th>
          {hasRun && <th scope="col">This run</th>}
        </tr>
      </thead>
      {variables.map((variable) => (
        <tbody key={variable}>
          <tr class="expected-variable">
            <th scope="rowgroup" colSpan={hasRun ? 5 : 4}>
              {variable === 'skill' ? rowTitle(variable) : `RMSE of ${rowTitle(variable)}`}
            </th>
          </tr>
          {rows
            .filter((row) => row.variable === variable)
            .map((row) => (
              <Row key={row.label} row={row} style={styles.find(({ label }) => label === row.label)} hasRun={hasRun} />
            ))}
        </tbody>
      ))}
    </table>
  );
}

interface RowProps {
  readonly row: ExpectedRow;
  readonly style: ReturnType<typeof methodStyles>[number] | undefined;
  readonly hasRun: boolean;
}

function Row({ row, style, hasRun }: RowProps) {
  const { label, expected, found, isInside } = row;
  const values = [expected.median, expected.low, expected.high, found];
  const [median, low, high, own] = formatColumn(
    values.map((value) => (value === undefined ? undefined : shown(row, value))),
  );
  return (
    <tr>
      <th scope="row">
        <i class="swatch" style={{ background: style?.colour ?? 'currentColor' }} />
        {style?.title ?? label}
      </th>
      <td>{median}</td>
      <td>{low}</td>
      <td>{high}</td>
      {hasRun && (
        <td class={isInside === false ? 'outside' : undefined}>
          {own}
          <span class="expected-mark" aria-hidden="true">
            {isInside === undefined ? ' ' : isInside ? '✓' : '≠'}
          </span>
          {isInside !== undefined && <span class="visually-hidden">{isInside ? ' inside' : ' outside'}</span>}
        </td>
      )}
    </tr>
  );
}

/** The command that opens the pane about the scenario from anywhere. */
const ABOUT_ID = 'about-scenario';

function showAbout({ frame: { isPanelShown, showPanel }, preferences: { aboutOpen } }: Laboratory): void {
  if (isPanelShown('evidence') && aboutOpen.value) {
    aboutOpen.value = false;
    return;
  }
  showPanel('evidence');
  aboutOpen.value = true;
  whenDrawn(
    () => document.getElementById(ABOUT_ID),
    (about) => about.focus(),
    () => aboutOpen.peek(),
  );
}

export function aboutCommands(laboratory: Laboratory): readonly Command[] {
  const { frame, preferences } = laboratory;
  return [
    {
      id: 'evidence.about',
      group: 'Evidence',
      title: 'About this scenario',
      shortcuts: ['I'],
      keywords: 'what to look for text story verdict expected results seeds',
      checked: () => frame.isPanelShown('evidence') && preferences.aboutOpen.value,
      run: () => showAbout(laboratory),
    },
  ];
}

const OTHER_SETTINGS = 'This run has other settings than those that the numbers are of.';

interface AboutProps {
  /** Whether it would answer a question of a lesson: it keeps its room, and cannot be read. */
  readonly isWithheld: boolean;
}

export function About({ isWithheld }: AboutProps) {
  const { aboutOpen } = useLaboratory().preferences;
  const { info } = useRun().course;
  const running = info.value;
  if (!running) return null;
  const { scenario, methods } = running;
  const open = aboutOpen.value;
  return (
    <section
      class="about"
      aria-label="About this scenario"
      data-open={open}
      data-withheld={isWithheld}
      inert={isWithheld}
    >
      <h3>
        <button
          type="button"
          class="about-head"
          aria-expanded={open}
          aria-controls={ABOUT_ID}
          title={`${open ? 'Close' : 'Open'} what the scenario says of itself  (I)`}
          onClick={() => {
            aboutOpen.value = !open;
          }}
        >
          <Icon name="chevron" />
          <span>What to look for</span>
          <span class="label">{scenario.title || scenario.name}</span>
        </button>
      </h3>
      {open && (
        <div class="about-body" id={ABOUT_ID} tabIndex={0} role="region" aria-label="What to look for">
          <Words scenario={scenario} methods={methods} />
        </div>
      )}
    </section>
  );
}

type WordsProps = Pick<PageRunInfo, 'scenario' | 'methods'>;

function Words({ scenario, methods }: WordsProps) {
  const {
    scenario: { openedScenario },
    course: { diagnostics, rowStride, status },
  } = useRun();
  const lesson = lessonOf(useRun());
  const original = openedScenario.value;
  // What was changed since it was opened has no expected results of its own.
  const isOwn = original === undefined || haveSameSettings(scenario, original);
  const rows = expectedRows(
    scenario,
    isOwn ? resultsSoFar(scenario, methods, thinnedTo(diagnostics.value, rowStride.value)) : [],
  );
  const seeds = scenario.expected?.seeds.length ?? 0;
  const found = isOwn ? expectedVerdict(rows, seeds, status.value === 'ended') : OTHER_SETTINGS;
  const way = <LessonLine scenario={scenario} onTake={() => lesson.open()} />;
  return <ScenarioWords scenario={scenario} rows={rows} found={found} lesson={lesson.at.value === undefined && way} />;
}
