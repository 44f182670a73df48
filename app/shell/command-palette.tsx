/** The palette: whatever can be done, and every scenario, setting, method and chart, by a few letters of its name. */
import { useMemo, useState } from 'preact/hooks';
import { Dialog } from '../controls/dialog.tsx';
import { Icon, Keys } from '../controls/buttons.tsx';
import { useLaboratory, type Laboratory } from '../page/laboratory.ts';
import { isEnabled, type Command } from '../page/commands.ts';
import './styles/overlays.css';
import { go, snapshot } from 'fuzzysort';

/** Finding by a few letters: in the title first, and by further words where the title has them not. */
interface Found<Entry> {
  readonly entry: Entry;
  /** Indices into the title of the letters that were found. */
  readonly positions: readonly number[];
}

interface EntryText {
  readonly title: string;
  /** Further words; they count less than what is read. */
  readonly more: string;
}

/** What is less alike is not shown: letters that happen to follow each other in a long text. */
const LEAST_SCORE = 0.25;
const MORE_COUNTS = 0.5;

/**
 * @param entries are made ready once, so that each letter typed costs little
 * @returns a search: entries that match, best first; all of them in their order where the query is empty
 */
export function fuzzyFinder<Entry>(
  entries: readonly Entry[],
  textOf: (entry: Entry) => EntryText,
): (query: string) => readonly Found<Entry>[] {
  const all = entries.map((entry) => ({ entry, ...textOf(entry) }));
  const targets = snapshot(all, { keys: ['title', 'more'] });
  return (query) => {
    if (query.trim() === '') return entries.map((entry) => ({ entry, positions: [] }));
    const found = go(query, targets, {
      limit: 0,
      threshold: LEAST_SCORE,
      // Of both together: a title that has one of two words alone is no better for it.
      scoreFn: ({ score, 0: title }) => score * (title.score > 0 ? 1 : MORE_COUNTS),
    });
    return found.map(({ obj: { entry }, 0: title }) => ({ entry, positions: title.score > 0 ? title.indexes : [] }));
  };
}

function Title({ text, positions }: { readonly text: string; readonly positions: readonly number[] }) {
  const found = new Set(positions);
  return (
    <span class="palette-title">
      {text.split('').map((letter, index) => (found.has(index) ? <mark key={index}>{letter}</mark> : letter))}
    </span>
  );
}

/** Runs a command that can be run now; another one stays in the list, which says so. */
function choose(laboratory: Laboratory, command: Command): void {
  if (!isEnabled(command)) return;
  const { closeOverlay } = laboratory.overlays;
  closeOverlay();
  // The dialog gives the focus back first, so that what the command opens can take it.
  setTimeout(() => void command.run(), 0);
}

/** More are not written into the page: who sees so many types another letter. */
const MOST_SHOWN = 100;

export function CommandPalette() {
  const laboratory = useLaboratory();
  const {
    commands: { allCommands, commands },
    overlays: { closeOverlay },
  } = laboratory;
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(0);
  const find = useMemo(() => {
    const listed = allCommands().filter(({ id }) => id !== 'view.palette');
    return fuzzyFinder(listed, ({ title, group, keywords = '' }) => ({ title, more: `${group} ${keywords}` }));
  }, [commands.value]);
  const shownOf = (text: string) => find(text).filter(({ entry }) => text.trim() !== '' || isEnabled(entry));
  const matches = useMemo(() => shownOf(query), [find, query]);
  const found = matches.slice(0, MOST_SHOWN);
  const at = Math.min(chosen, found.length - 1);
  const move = (by: number): void => {
    const next = (at + by + found.length) % found.length;
    setChosen(next);
    document.getElementById(`palette-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <Dialog label="Commands" class="palette" onClose={closeOverlay}>
      <div class="palette-search">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Search commands"
          aria-expanded={true}
          aria-controls="palette-list"
          aria-autocomplete="list"
          {...(at >= 0 && { 'aria-activedescendant': `palette-${at}` })}
          placeholder="Commands, scenarios, settings, methods, charts"
          autocomplete="off"
          spellcheck={false}
          autofocus
          value={query}
          onInput={(event) => {
            setQuery(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={(event) => {
            const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
            if (step !== undefined && found.length > 0) move(step);
            else if (event.key === 'Enter') {
              // Fast fingers press it before what they typed is drawn.
              const typed = event.currentTarget.value;
              const wanted = typed === query ? found[at] : shownOf(typed)[0];
              if (wanted) choose(laboratory, wanted.entry);
            } else return;
            event.preventDefault();
          }}
        />
      </div>
      <div class="palette-list" id="palette-list" role="listbox" aria-label="Commands">
        {found.map(({ entry, positions }, index) => (
          <div
            key={entry.id}
            id={`palette-${index}`}
            class="palette-entry"
            role="option"
            aria-selected={index === at}
            aria-disabled={!isEnabled(entry)}
            onPointerMove={() => setChosen(index)}
            onClick={() => choose(laboratory, entry)}
          >
            <span class="label palette-group">{entry.group}</span>
            <Title text={entry.title} positions={positions} />
            {entry.detail !== undefined && <code class="palette-detail">{entry.detail}</code>}
            {!isEnabled(entry) && <span class="label palette-on">not available now</span>}
            {entry.checked?.() === true && <span class="label palette-on">on</span>}
            {entry.shortcuts?.[0] !== undefined && <Keys shortcut={entry.shortcuts[0]} />}
          </div>
        ))}
      </div>
      {matches.length > found.length && (
        <p class="palette-none label">{matches.length - found.length} more. Type another letter to narrow the list.</p>
      )}
      {found.length === 0 && (
        <p class="palette-none label" role="status">
          Nothing matches
        </p>
      )}
    </Dialog>
  );
}
