/** The one way from a scenario file, wherever it came from, to a run on screen; what is wrong is told and nothing is lost. */
import { ScenarioError, parseScenario, readScenarioFiles } from '../../../engine/index.ts';
import type { ParsedScenario } from '../../../engine/index.ts';
import type { OpenedFile } from '../../host/host.ts';
import { bundledScenario } from './bundled-scenarios.ts';
import { dismissTitled, notify } from './notices.ts';
import { ask } from './question.ts';
import { readRunFolder } from './open-run.ts';
import { runController } from './run-controller.ts';
import type { SessionFiles } from './session-keeper.ts';
import { adoptScenario, applied, markApplied, unsaved } from './scenario-state.ts';
import { addDiagnostics, restoreKernels } from './session-state.ts';

const WRONG_SCENARIO = 'The scenario cannot be opened';
const WRONG_RUN = 'The run cannot be opened';

/** @returns whether the draft may be replaced: it is saved, or the person says so */
export async function mayReplaceDraft(): Promise<boolean> {
  if (!unsaved.value) return true;
  return (
    (await ask({
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

function begin(parsed: ParsedScenario, name: string, kind: 'bundled' | 'file', files: SessionFiles): void {
  dismissRefusals();
  adoptScenario(parsed, { name, kind, files });
  markApplied();
  runController().start(parsed.scenario, files);
  if (parsed.warnings.length > 0) notify('warning', 'Settings without effect', { lines: parsed.warnings });
}

function refuse(error: unknown, title = WRONG_SCENARIO): void {
  if (!(error instanceof ScenarioError)) throw error;
  const remains = applied.value === undefined ? [] : ['What was running goes on.'];
  notify('error', title, { lines: [...error.problems, ...remains] });
}

/** Opens a run folder: its results are shown, and it goes on from its checkpoint when it is played. @returns whether it was opened */
export async function openRunFolder(folder: Readonly<Record<string, Uint8Array>>): Promise<boolean> {
  const isLatest = beginOpening();
  try {
    const { parsed, rows, kernels, checkpoint } = await readRunFolder(folder);
    if (!isLatest() || !(await mayReplaceDraft()) || !isLatest()) return false;
    dismissRefusals();
    const { scenario } = parsed;
    adoptScenario(parsed, { name: `${scenario.name}.json`, kind: 'file', files: {} });
    markApplied();
    runController().start(scenario, {}, { play: false, ...(checkpoint && { checkpoint }) });
    addDiagnostics(rows);
    restoreKernels(kernels);
    return true;
  } catch (error) {
    refuse(error, WRONG_RUN);
    return false;
  }
}

/** Opens a scenario that ships. @returns whether it was opened */
export async function openBundled(name: string): Promise<boolean> {
  const isLatest = beginOpening();
  if (!(await mayReplaceDraft()) || !isLatest()) return false;
  begin(bundledScenario(name), `${name}.json`, 'bundled', {});
  return true;
}

/** Opens a file. @returns whether it was opened; if not, what is wrong with it was told */
export async function openFile({ name, bytes, siblings }: OpenedFile): Promise<boolean> {
  const isLatest = beginOpening();
  try {
    const parsed = parseScenario(bytes, name);
    const files: Record<string, Uint8Array> = {};
    const read = async (file: string): Promise<Uint8Array> => {
      const found = await siblings(file);
      if (!found) throw new Error(`${file} is not beside ${name}`);
      files[file] = found;
      return found;
    };
    // Reading them all now tells what is wrong before anything is given up.
    await readScenarioFiles(parsed.scenario, read, name);
    if (!isLatest() || !(await mayReplaceDraft()) || !isLatest()) return false;
    begin(parsed, name, 'file', files);
    return true;
  } catch (error) {
    refuse(error);
    return false;
  }
}
