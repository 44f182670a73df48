/** The pane about the scenario that runs, at the head of the evidence: one line, or open with all it has to say. */
import type { PageRunInfo } from '../../document/run/page-run.ts';
import { Icon } from '../../controls/icons.tsx';
import { LessonLine } from '../lessons/lesson-strip.tsx';
import { useRun } from '../../document/context.ts';
import { useLaboratory, type Laboratory } from '../../page/laboratory.ts';
import { thinnedTo } from '../../document/run/kept-rows.ts';
import {
  expectedRows,
  expectedVerdict,
  haveSameSettings,
  resultsSoFar,
} from '../../document/scenario/expected-results.ts';
import { ScenarioWords } from './scenario-words.tsx';
import { lessonOf } from '../lessons/lesson-state.ts';
import type { Command } from '../../page/commands.ts';

/** The command that opens the pane about the scenario from anywhere. */
const ABOUT_ID = 'about-scenario';

function showAbout({ frame: { isPanelShown, showPanel }, preferences: { aboutOpen } }: Laboratory): void {
  if (isPanelShown('evidence') && aboutOpen.value) {
    aboutOpen.value = false;
    return;
  }
  showPanel('evidence');
  aboutOpen.value = true;
  setTimeout(() => document.getElementById(ABOUT_ID)?.focus());
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

export function About() {
  const { aboutOpen } = useLaboratory().preferences;
  const { info } = useRun().course;
  const running = info.value;
  if (!running) return null;
  const { scenario, methods } = running;
  const open = aboutOpen.value;
  return (
    <section class="about" aria-label="About this scenario" data-open={open}>
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
