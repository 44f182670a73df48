/** The palette: every command by a few of its letters. */
import { useMemo, useState } from 'preact/hooks';
import { Dialog } from '../../layout/dialog.tsx';
import { Icon } from '../../layout/icons.tsx';
import { Keys } from '../../layout/keys.tsx';
import { COMMAND_GROUPS, commands, isEnabled, runCommand } from '../../state/commands.ts';
import type { Command } from '../../state/commands.ts';
import { fuzzyFilter } from '../../state/fuzzy.ts';
import { closeOverlay } from '../../state/overlays.ts';
import './command-palette.css';

function Title({ text, positions }: { readonly text: string; readonly positions: readonly number[] }) {
  const found = new Set(positions);
  return (
    <span class="palette-title">
      {text.split('').map((letter, index) => (found.has(index) ? <mark key={index}>{letter}</mark> : letter))}
    </span>
  );
}

function run(command: Command): void {
  closeOverlay();
  // The dialog gives the focus back first, so that what the command opens can take it.
  setTimeout(() => runCommand(command.id), 0);
}

export function CommandPalette() {
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(0);
  const found = useMemo(() => {
    const usable = COMMAND_GROUPS.flatMap((group) =>
      commands.value.filter(
        (command) => command.group === group && isEnabled(command) && command.id !== 'view.palette',
      ),
    );
    return fuzzyFilter(query, usable, ({ title, group, keywords = '' }) => ({
      title,
      more: `${group} ${title} ${keywords}`,
    }));
  }, [query, commands.value]);
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
          placeholder="Search commands"
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
            else if (event.key === 'Enter' && found[at]) run(found[at].entry);
            else return;
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
            onPointerMove={() => setChosen(index)}
            onClick={() => run(entry)}
          >
            <span class="label palette-group">{entry.group}</span>
            <Title text={entry.title} positions={positions} />
            {entry.checked?.() === true && <span class="label palette-on">on</span>}
            {entry.shortcuts?.[0] !== undefined && <Keys shortcut={entry.shortcuts[0]} />}
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p class="palette-none label" role="status">
          No command has these letters
        </p>
      )}
    </Dialog>
  );
}
