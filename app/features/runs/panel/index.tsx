/** The runs of this sitting, of earlier ones and of folders: their curves, one of them as baseline, what differs, a note each. */
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { CommandButton } from '../../../controls/buttons.tsx';
import { addRuns } from '../add-run.ts';
import { listWords, runsOf } from '../runs-state.ts';
import { useLaboratory } from '../../../page/laboratory.ts';
import { matches } from '../../../page/commands.ts';
import { takeKey } from '../../../plot/keys.ts';
import { RunRow } from './run-row.tsx';
import './runs.css';

/** Keys that move through the list, from title to title. */
const MOVES: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowUp: (at) => Math.max(0, at - 1),
  ArrowDown: (at, count) => Math.min(count - 1, at + 1),
  Home: () => 0,
  End: (_, count) => count - 1,
};

function moveFocus(list: HTMLElement | null, event: KeyboardEvent): void {
  const titles = [...(list?.querySelectorAll<HTMLElement>('.run-title') ?? [])];
  const at = titles.findIndex((title) => title === event.target);
  const move = at < 0 ? undefined : takeKey(event, MOVES);
  if (move) titles[move(at, titles.length)].focus();
}

function isTyping(event: KeyboardEvent): boolean {
  return event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
}

export function RunsPanel() {
  const laboratory = useLaboratory();
  const { host } = laboratory;
  const runs = runsOf(laboratory);
  const list = useRef<HTMLUListElement>(null);
  const dragging = useSignal(false);
  const newestFirst = [...runs.runs.value].reverse();
  const removed = runs.removed.value?.run;
  const onDragOver = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes('Files') !== true) return;
    event.preventDefault();
    event.stopPropagation();
    event.dataTransfer.dropEffect = 'copy';
    dragging.value = true;
  };
  const onDrop = (event: DragEvent): void => {
    dragging.value = false;
    if (event.dataTransfer?.types.includes('Files') !== true) return;
    event.preventDefault();
    event.stopPropagation();
    void addRuns(laboratory, host.droppedFolders(event.dataTransfer));
  };
  return (
    <div
      class="runs"
      data-dragging={dragging.value}
      onDragOver={onDragOver}
      onDragLeave={(event) => {
        const { relatedTarget, currentTarget } = event;
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) dragging.value = false;
      }}
      onDrop={onDrop}
      onKeyDown={(event) => {
        if (matches('Mod+Z', event) && !isTyping(event) && runs.bringBack()) {
          event.preventDefault();
          event.stopPropagation();
        }
      }}
    >
      <div class="runs-head">
        <CommandButton command="runs.add" class="button">
          Add folder…
        </CommandButton>
        <CommandButton command="runs.table" class="button">
          Table
        </CommandButton>
        <CommandButton command="runs.save-json" class="button">
          JSON
        </CommandButton>
        <CommandButton command="runs.save-csv" class="button">
          CSV
        </CommandButton>
      </div>
      {newestFirst.length === 0 ? (
        <p class="runs-empty">
          A run comes into this list with its first cycle, and stays when another one takes its place. Press play, add
          run folders, or drop them here.
        </p>
      ) : (
        <ul
          class="runs-list"
          ref={list}
          aria-label="Runs, the newest first"
          onKeyDown={(event) => moveFocus(list.current, event)}
        >
          {newestFirst.map((run) => (
            <RunRow key={run.id} run={run} />
          ))}
        </ul>
      )}
      <footer class="runs-foot">
        {removed && (
          <p>
            Removed run {removed.number}.{' '}
            <button type="button" class="button" onClick={() => void runs.bringBack()}>
              Undo
            </button>
          </p>
        )}
        <p title="Diagnostics, scenarios and notes are kept, fields are not: the same scenario gives them again. If there is no room, the oldest run that is not pinned goes.">
          <span class="number">{listWords(newestFirst.length, runs.bytes.value, runs.limitBytes)}</span>
          {runs.dropped.value > 0 && `; ${runs.dropped.value} gone for want of room`}
        </p>
      </footer>
    </div>
  );
}
