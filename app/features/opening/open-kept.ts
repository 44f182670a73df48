/**
 * What an earlier page left: changes that nobody saved, which are offered or continue with the run, and a run that it broke down in,
 * which continues from its last checkpoint.
 */
import { reasonOf, type Notices } from '../../page/notices.ts';
import { batch, effect } from '@preact/signals';
import { z } from 'zod';
import { problemsIn, describeProblem, validateScenario, cyclesOf } from '../../../engine/index.ts';
import type { ParsedScenario } from '../../../engine/index.ts';
import type { DraftStore, KeptDraft, Recovery } from '../../document/recovery/recovery-store.ts';
import type { RunView } from '../../document/run-view.ts';
import { openingOf } from './open-scenario.ts';
import { settingsOf, withLabels } from '../../document/scenario/run-document.ts';
import { lessonOf } from '../lessons/lesson-state.ts';

/** Changes that follow each other within this time are kept once, ms. */
const PAUSE = 250;

type Edited = Pick<RunView, 'scenario' | 'edits'>;

/** @returns what would be lost with the page; undefined if nothing would be */
export function changesNow({ scenario, edits }: Edited, page: string): KeptDraft | undefined {
  const [draft, applied, saved, origin] = [
    scenario.draft.value,
    scenario.applied.value,
    scenario.saved.value,
    scenario.origin.value,
  ];
  const lent = edits.lentNow.value;
  // Settings that a lesson has changed are the lesson's.
  const run = lent ? withLabels(lent.from, draft) : edits.runFile.value;
  if (!edits.unsaved.value || !run) return undefined;
  const isPending = !lent && JSON.stringify(draft) !== JSON.stringify(applied);
  return { page, run, ...(isPending && { draft: settingsOf(draft) }), saved, origin };
}

/**
 * Keeps changes that are not saved, so that a page that is loaded again can offer them.
 *
 * @param page a name that no other page has
 * @returns ends it
 */
export function keepDraft(run: Edited, store: DraftStore, page: string): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isKept = false;
  const write = (changes: KeptDraft | undefined): void => {
    if (!changes && !isKept) return;
    isKept = changes !== undefined;
    // A browser that keeps nothing for the page leaves it as it is.
    (changes ? store.put(changes) : store.clear(page)).catch(() => undefined);
  };
  const end = effect(() => {
    const changes = changesNow(run, page);
    clearTimeout(timer);
    timer = setTimeout(() => write(changes), PAUSE);
  });
  return () => {
    clearTimeout(timer);
    end();
  };
}

/** A page of another version may have kept it. The scenarios are checked by their own reader. */
const keptSchema = z.object({
  page: z.string(),
  run: z.looseObject({ name: z.string() }),
  draft: z.unknown().optional(),
  saved: z.unknown(),
  origin: z.object({
    name: z.string(),
    kind: z.enum(['bundled', 'file', 'run']),
    files: z.record(z.string(), z.instanceof(Uint8Array)),
  }),
});

const OFFER = 'Changes that were not saved';

/** What the file holds, and what waits to be applied, as they were. */
function putBack({ scenario }: Pick<RunView, 'scenario'>, { saved, draft }: KeptDraft): void {
  const { change, editDraft } = scenario;
  batch(() => {
    change({ type: 'set-saved', raw: saved });
    if (draft !== undefined) editDraft(draft, 'restore changes');
  });
}

/** @returns what was kept; undefined if there is nothing, or nothing that can be read */
export async function takeDraft(store: DraftStore): Promise<KeptDraft | undefined> {
  try {
    return keptSchema.safeParse(await store.get()).data;
  } catch {
    return undefined;
  }
}

/** Opens what was kept: the run begins again, and what waited to be applied waits. */
function restore({ notify }: Pick<Notices, 'notify'>, run: RunView, kept: KeptDraft): void {
  const { scenario, controller } = run;
  let parsed: ParsedScenario;
  try {
    parsed = validateScenario(kept.run, 'the scenario that was kept');
  } catch (error) {
    notify('error', 'The changes cannot be restored', { lines: problemsIn(error).map(describeProblem) });
    return;
  }
  scenario.openScenario(parsed, kept.origin);
  controller.start(parsed.scenario, kept.origin.files);
  putBack(run, kept);
}

/** Offers what an earlier page kept. */
export function offerDraft(
  { notify }: Pick<Notices, 'notify'>,
  run: RunView,
  store: DraftStore,
  kept: KeptDraft,
): void {
  const { name, title } = kept.run as { readonly name: string; readonly title?: string };
  notify('warning', OFFER, {
    lines: [`“${title || name}” had changes when the window closed.`],
    actions: [
      {
        title: 'Restore',
        run() {
          void openingOf(run)
            .mayReplaceDraft()
            .then((may) => {
              if (may) restore({ notify }, run, kept);
              else offerDraft({ notify }, run, store, kept);
            });
        },
      },
      { title: 'Discard', run: () => void store.clear(kept.page).catch(() => undefined) },
    ],
  });
}

/** Gives a run that was recovered the changes that its page kept. */
export function continueDraft(run: Pick<RunView, 'scenario'>, kept: KeptDraft | undefined): void {
  if (kept && kept.run['name'] === run.scenario.appliedScenario.value?.name) putBack(run, kept);
}

/** A page of another version may have kept it, or a disk have damaged it. The scenario is judged by its own reader. */
const recoverySchema = z.object({
  scenario: z.looseObject({ name: z.string() }),
  files: z.record(z.string(), z.instanceof(Uint8Array)),
  checkpoint: z.object({
    cycle: z.int().nonnegative(),
    arrays: z.record(z.string(), z.instanceof(Float64Array)),
    fingerprint: z.string(),
  }),
  lesson: z
    .object({ step: z.int().positive(), tried: z.boolean(), base: z.record(z.string(), z.unknown()) })
    .optional(),
});

/** @throws Error, ScenarioError that says what is wrong with it */
function check(kept: unknown): ParsedScenario {
  const { data, error } = recoverySchema.safeParse(kept);
  if (!data) throw new Error(z.prettifyError(error));
  const parsed = validateScenario(data.scenario, 'the interrupted run');
  const cycles = cyclesOf(parsed.scenario);
  if (data.checkpoint.cycle > cycles) {
    throw new Error(`its checkpoint is of cycle ${data.checkpoint.cycle}, the run has ${cycles}`);
  }
  return parsed;
}

/**
 * Continues with what the page that broke down has kept; otherwise says why the run is lost.
 * @param kept undefined if there is nothing
 * @returns whether the run continues
 */
export function openRecovery({ notify }: Pick<Notices, 'notify'>, run: RunView, kept: Recovery | undefined): boolean {
  const tell = (...lines: string[]): void => {
    notify('warning', 'The run was interrupted', { lines });
  };
  if (!kept) {
    tell('It had kept no checkpoint yet, so it is lost.');
    return false;
  }
  let parsed: ParsedScenario;
  try {
    parsed = check(kept);
  } catch (error) {
    tell('What it had kept cannot be used, so it is lost:', reasonOf(error));
    return false;
  }
  const { scenario } = parsed;
  const { files, checkpoint } = kept;
  const {
    scenario: { openScenario },
    edits,
    controller,
  } = run;
  openScenario(parsed, { name: `${scenario.name}.json`, kind: 'file', files });
  edits.followInterventions(checkpoint.cycle - 1);
  controller.start(scenario, files, { checkpoint });
  if (kept.lesson) lessonOf(run).resume(kept.lesson);
  tell(`It continues from cycle ${checkpoint.cycle}, its last checkpoint.`);
  return true;
}
