/** The one way from a scenario file, wherever it came from, to a run on screen; what is wrong is told and nothing is lost. */
import { ScenarioError, describeProblem } from '../../../engine/index.ts';
import type { ParsedScenario } from '../../../engine/index.ts';
import type { OpenedFile } from '../../host/host.ts';
import type { Laboratory } from './laboratory.ts';
import type { RunController } from './run-controller.ts';
import type { RunEdits } from './run-edits.ts';
import type { RunClock } from './run-times.ts';
import type { ScenarioOrigin, ScenarioState } from './scenario-state.ts';
import type { SessionFiles } from './session-keeper.ts';
import type { SessionState } from './session-state.ts';

const WRONG_SCENARIO = 'The scenario cannot be opened';
const WRONG_RUN = 'The run cannot be opened';

/** The run that what is opened takes the place of. */
export interface OpenedRunStates {
  readonly scenario: ScenarioState;
  readonly session: SessionState;
  readonly edits: RunEdits;
  readonly clock: RunClock;
  readonly controller: Pick<RunController, 'start'>;
}

/** Opens scenarios and runs in the place of one run. */
export function createOpening(
  laboratory: Pick<Laboratory, 'catalogue' | 'notices' | 'questions' | 'reader'>,
  { scenario: { adoptScenario, applied, markApplied }, session, edits, clock, controller }: OpenedRunStates,
) {
  const { notify, dismissTitled } = laboratory.notices;
  const { addDiagnostics, addDivergence, beginTrace, restoreKernels } = session;
  const { beginRun, followInterventions, unsaved } = edits;

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

  /** What was wrong before is of no interest once something was opened. */
  function dismissRefusals(): void {
    dismissTitled(WRONG_SCENARIO);
    dismissTitled(WRONG_RUN);
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

  function begin(parsed: ParsedScenario, name: string, kind: ScenarioOrigin['kind'], files: SessionFiles): void {
    dismissRefusals();
    adoptScenario(parsed, { name, kind, files });
    markApplied();
    beginRun(parsed.raw);
    controller.start(parsed.scenario, files);
    tellMigration(parsed);
    if (parsed.warnings.length > 0)
      notify('warning', 'Settings without effect', { lines: parsed.warnings.map(describeProblem) });
  }

  /** Says what was done to a file of an earlier version. */
  function tellMigration({ notes }: ParsedScenario): void {
    if (notes.length > 0) notify('warning', 'The scenario was converted', { lines: notes });
  }

  function refuse(error: unknown, title = WRONG_SCENARIO): void {
    if (!(error instanceof ScenarioError)) throw error;
    const remains = applied.value === undefined ? [] : ['What was running goes on.'];
    notify('error', title, { lines: [...error.problems.map(describeProblem), ...remains] });
  }

  /** Opens a run folder: its results are shown, and it goes on from its checkpoint when it is played. @returns whether it was opened */
  async function openRunFolder(folder: Readonly<Record<string, Uint8Array>>): Promise<boolean> {
    const isLatest = beginOpening();
    try {
      const { parsed, rows, divergences, kernels, trace, checkpoint, files, times, remarks } =
        await laboratory.reader.run(folder);
      if (!isLatest() || !(await mayReplaceDraft()) || !isLatest()) return false;
      dismissRefusals();
      const { scenario } = parsed;
      adoptScenario(parsed, { name: `${scenario.name}.shoal.json`, kind: 'run', files });
      markApplied();
      beginRun(parsed.raw);
      controller.start(scenario, files, { play: false, ...(checkpoint && { checkpoint }) });
      addDiagnostics(rows);
      for (const divergence of divergences) addDivergence(divergence);
      followInterventions((checkpoint?.cycle ?? 0) - 1);
      restoreKernels(kernels);
      clock.restoreTimes(times);
      beginTrace(times.start, trace);
      if (remarks.length > 0) notify('warning', 'The run was opened', { lines: remarks });
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
    begin(laboratory.catalogue.bundledScenario(name), `${name}.json`, 'bundled', {});
    return true;
  }

  /**
   * Opens a file.
   *
   * @param kind `run` for a scenario that is in no file yet, as a case of a sweep
   * @returns whether it was opened; if not, what is wrong with it was told
   */
  async function openFile(file: OpenedFile, kind: 'file' | 'run' = 'file'): Promise<boolean> {
    const isLatest = beginOpening();
    try {
      // Reading its files now tells what is wrong before anything is given up.
      const { parsed, files } = await laboratory.reader.scenario(file);
      if (!isLatest() || !(await mayReplaceDraft()) || !isLatest()) return false;
      begin(parsed, file.name, kind, files);
      return true;
    } catch (error) {
      refuse(error);
      return false;
    }
  }

  return { openBundled, openFile, openRunFolder };
}

export type Opening = ReturnType<typeof createOpening>;
