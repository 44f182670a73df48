/** The one way from a scenario file, wherever it came from, to a run on screen; what is wrong is reported and nothing is lost. */
import {
  problemsIn,
  describeProblem,
  settingTitle,
  warningTexts,
  type ParsedScenario,
  type Problem,
} from '../../../engine/index.ts';
import { isBundleName } from '../../bundle/bundle-name.ts';
import type { OpenedFile, OpenedFolder } from '../../host/host.ts';
import { LINKED_SCENARIO, readLink, showViews, USUAL_EVIDENCE } from '../links/link.ts';
import type { ReadLink, ShownImpact, ViewedXray } from '../links/link.ts';
import { playbackFolder, playFolder, openPlaybackOf } from '../playback/play-folder.ts';
import { type Laboratory, slot } from '../../page/laboratory.ts';
import type { RunController, StartOptions } from '../../document/run/run-controller.ts';
import type { RunEdits } from '../../document/scenario/run-edits.ts';
import type { RunClock } from '../../document/run/run-times.ts';
import type { ScenarioOrigin } from '../../document/scenario/run-document.ts';
import type { ScenarioState } from '../../document/scenario/scenario-state.ts';
import type { RunCourse } from '../../document/run/run-course.ts';
import type { ViewState } from '../../document/views/view-state.ts';
import { readerOf } from '../reading/worker-reader.ts';
import { catalogueOf } from '../../document/scenario/bundled-scenarios.ts';
import type { RunView } from '../../document/run-view.ts';
import { impactOf } from '../impact/impact-state.ts';
import { lessonOf, type Lesson } from '../lessons/lesson-state.ts';
import { xrayOf } from '../x-ray/xray-state.ts';

/** @returns the warnings; one about a setting of a method has the method's label and the setting's title in place of its path */
function inWords({ scenario, warnings }: ParsedScenario): readonly Problem[] {
  return warnings.map((warning) => {
    const { path, message } = warning;
    if (path[0] !== 'methods' || path.length < 3) return warning;
    return { path: [], message: `${settingTitle(scenario, path)}: ${message}` };
  });
}

const WRONG_SCENARIO = 'The scenario cannot be opened';
const WRONG_RUN = 'The run cannot be opened';
const WRONG_LINK = 'The link cannot be opened';
const REMARKS = 'Remarks on the scenario';
const CONVERTED = 'The scenario was converted';
const OPENED = 'The run was opened';

/** The run that what is opened takes the place of. */
interface OpenedRunStates {
  readonly scenario: ScenarioState;
  readonly course: RunCourse;
  readonly edits: RunEdits;
  readonly clock: RunClock;
  readonly view: ViewState;
  readonly controller: Pick<RunController, 'goForward' | 'start'>;
  readonly lesson: Pick<Lesson, 'stand'>;
  readonly xray: ViewedXray;
  readonly impact: ShownImpact;
}

/** @returns the name of a file that the scenario would be saved as: by it the system knows whose file it is */
function fileNameOf({ scenario }: Pick<ParsedScenario, 'scenario'>): string {
  return `${scenario.name}.shoal.json`;
}

function bundled(name: string): ScenarioOrigin {
  return { name: `${name}.json`, kind: 'bundled', files: {} };
}

/** Opens scenarios, runs and links in the place of one run. */
function createOpening(
  laboratory: Laboratory,
  {
    scenario: { applied, openScenario },
    course,
    edits,
    clock,
    view,
    controller,
    lesson,
    xray,
    impact,
  }: OpenedRunStates,
) {
  const { notify, dismissTitled } = laboratory.notices;
  const { addDiagnostics, addDivergence, beginTrace, restoreKernels } = course;
  const { followInterventions, unsaved } = edits;

  /** @returns whether the draft may be replaced: it is saved, or the person says so */
  async function mayReplaceDraft(): Promise<boolean> {
    if (!unsaved.value) return true;
    return (
      (await laboratory.questions.ask({
        title: 'Discard the changes?',
        text: 'The scenario was changed and not saved. Opening another one discards the changes.',
        answers: [
          { id: 'discard', title: 'Discard changes', kind: 'danger' },
          { id: 'cancel', title: 'Keep editing', kind: 'plain' },
        ],
        cancel: 'cancel',
      })) === 'discard'
    );
  }

  /** What was wrong with what was open before, or was refused, is of no interest once something was opened. */
  function dismissRefusals(): void {
    for (const title of [WRONG_SCENARIO, WRONG_RUN, WRONG_LINK, REMARKS, CONVERTED, OPENED]) {
      dismissTitled(title);
    }
  }

  let latestOpening = 0;

  /**
   * Begins to open something, which may have to wait for files and for an answer; whatever is opened later has precedence.
   * @returns whether nothing else was opened in the meantime
   */
  function beginOpening(): () => boolean {
    latestOpening += 1;
    const turn = latestOpening;
    return () => turn === latestOpening;
  }

  function begin(parsed: ParsedScenario, { name, kind, files }: ScenarioOrigin, options: StartOptions = {}): void {
    dismissRefusals();
    openScenario(parsed, { name, kind, files });
    controller.start(parsed.scenario, files, options);
    tellMigration(parsed);
    if (parsed.warnings.length > 0) notify('warning', REMARKS, { lines: warningTexts(inWords(parsed)) });
  }

  /** Says what was done to a file of an earlier version. */
  function tellMigration({ notes }: ParsedScenario): void {
    if (notes.length > 0) notify('warning', CONVERTED, { lines: notes });
  }

  function refuse(error: unknown, title = WRONG_SCENARIO): void {
    const lines = problemsIn(error).map(describeProblem);
    const remains = applied.value === undefined ? [] : ['The current run continues.'];
    notify('error', title, { lines: [...lines, ...remains] });
  }

  /**
   * Opens a run folder: its results are shown, with the states of the cycles that it keeps, and it continues from its checkpoint
   * when it is played beyond them.
   *
   * @returns whether it was opened; its states may still be on their way
   */
  async function openRunFolder(folder: OpenedFolder): Promise<boolean> {
    const isLatest = beginOpening();
    // The reader is given the files for good.
    const played = playbackFolder(folder);
    try {
      const { record, parsed, rows, divergences, kernels, trace, checkpoint, files, times, remarks } = await readerOf(
        laboratory,
      ).run(folder.files);
      if (!isLatest() || !(await mayReplaceDraft()) || !isLatest()) return false;
      dismissRefusals();
      const { scenario } = parsed;
      laboratory.host.forgetLink();
      openScenario(parsed, { name: fileNameOf(parsed), kind: 'run', files });
      controller.start(scenario, files, { play: false, ...(checkpoint && { checkpoint }) });
      addDiagnostics(rows);
      for (const divergence of divergences) addDivergence(divergence);
      followInterventions((checkpoint?.cycle ?? 0) - 1);
      restoreKernels(kernels);
      clock.restoreTimes(times);
      beginTrace(times.start, trace);
      const opened = { fields: record.fields, divergences, checkpoint };
      void playFolder(played, opened, course, laboratory.notices, openPlaybackOf(laboratory));
      if (remarks.length > 0) notify('warning', OPENED, { lines: remarks });
      tellMigration(parsed);
      return true;
    } catch (error) {
      refuse(error, WRONG_RUN);
      return false;
    }
  }

  /** Opens a scenario that ships. @returns whether it was opened */
  async function openBundled(name: string): Promise<boolean> {
    const isLatest = beginOpening();
    if (!(await mayReplaceDraft()) || !isLatest()) return false;
    laboratory.host.forgetLink();
    begin(catalogueOf(laboratory).bundledScenario(name), bundled(name));
    return true;
  }

  /**
   * Opens a scenario file, or a bundle.
   *
   * @param kind `run` for a scenario that is in no file yet, as a case of a sweep
   * @returns whether it was opened; if not, what is wrong with it was reported
   */
  async function openFile(file: OpenedFile, kind: 'file' | 'run' = 'file'): Promise<boolean> {
    const isLatest = beginOpening();
    try {
      // Reading its files now shows what is wrong before anything is given up.
      const { parsed, files } = await readerOf(laboratory).scenario(file);
      if (!isLatest() || !(await mayReplaceDraft()) || !isLatest()) return false;
      laboratory.host.forgetLink();
      // A bundle is no scenario file: there is none yet that a command could name.
      const origin = isBundleName(file.name)
        ? { name: fileNameOf(parsed), kind: 'run' as const }
        : { name: file.name, kind };
      begin(parsed, { ...origin, files });
      return true;
    } catch (error) {
      refuse(error);
      return false;
    }
  }

  /** The scenario that a link leads to, and what it is called here. @throws ScenarioError that says what is wrong with it */
  async function linked({ scenario }: ReadLink): Promise<readonly [ParsedScenario, ScenarioOrigin]> {
    if ('ships' in scenario) return [catalogueOf(laboratory).bundledScenario(scenario.ships), bundled(scenario.ships)];
    const { parsed } = await readerOf(laboratory).scenario({
      name: LINKED_SCENARIO,
      bytes: new TextEncoder().encode(scenario.text),
      // It comes alone.
      siblings: () => Promise.resolve(undefined),
    });
    return [parsed, { name: fileNameOf(parsed), kind: 'run', files: {} }];
  }

  /**
   * Opens what a link leads to: the scenario, computed up to the cycle, the views, and the step of its lesson.
   * @param written from its sign # on
   * @returns whether it was opened, though perhaps not computed that far yet; if not, what is wrong with it was reported
   */
  async function openLink(written: string): Promise<boolean> {
    const isLatest = beginOpening();
    try {
      const link = readLink(written);
      const [parsed, origin] = await linked(link);
      link.check(parsed.scenario);
      if (!isLatest() || !(await mayReplaceDraft()) || !isLatest()) return false;
      begin(parsed, origin, { play: false });
      if (link.lesson) lesson.stand(link.lesson);
      showViews({ view, xray, impact }, link.views);
      laboratory.evidence.evidenceTab.value = link.views.evidence ?? USUAL_EVIDENCE;
      void controller.goForward(link.cycle);
      return true;
    } catch (error) {
      refuse(error, WRONG_LINK);
      return false;
    }
  }

  return { mayReplaceDraft, openBundled, openFile, openLink, openRunFolder };
}

export type Opening = ReturnType<typeof createOpening>;

/** @returns what opens scenarios, runs and links in place of a run */
export const openingOf = slot<RunView, Opening>((run) =>
  createOpening(run.laboratory, { ...run, lesson: lessonOf(run), xray: xrayOf(run), impact: impactOf(run) }),
);
