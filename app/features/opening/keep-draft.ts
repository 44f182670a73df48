/** Keeps changes that are not saved, so that a page that is loaded again can offer them. */
import { effect } from '@preact/signals';
import type { DraftStore, KeptDraft } from '../../document/recovery/recovery-store.ts';
import type { RunView } from '../../document/run-view.ts';
import { settingsOf } from '../../document/scenario/scenario-state.ts';
import { withLabels } from '../../document/scenario/run-edits.ts';

/** Changes that follow each other within this time are kept once, ms. */
const PAUSE = 250;

type Edited = Pick<RunView, 'scenario' | 'edits'>;

/** @returns what would be lost with the page; undefined if nothing would be */
export function changesNow({ scenario, edits }: Edited, page: string): KeptDraft | undefined {
  const [draft, applied, saved, origin] = [
    scenario.draft.value,
    scenario.applied.value,
    scenario.savedRaw.value,
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
