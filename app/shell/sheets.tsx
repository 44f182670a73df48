/** Two sheets of the window: all shortcuts, made from the registry of commands; and the glossary, for who reads without a pointer. */
import { Dialog } from '../controls/dialog.tsx';
import { Icon, Keys } from '../controls/buttons.tsx';
import { useLaboratory } from '../page/laboratory.ts';
import { COMMAND_GROUPS } from '../page/commands.ts';
import './styles/overlays.css';
import { glossaryEntries } from '../format/glossary.ts';

/** What the keyboard and the pointer do where they are, beside commands. */
const ON_STAGE: readonly (readonly [string, string])[] = [
  ['Drag', 'Turn the camera'],
  ['Right drag', 'Move the camera'],
  ['Wheel', 'Nearer or farther'],
  ['Click', 'Pin a probe'],
  ['Shift drag', 'Draw a cross-section'],
];

/** What keys do with the element in focus. */
const IN_FOCUS: readonly (readonly [string, string])[] = [
  ['Tab', 'Next control'],
  ['Enter', 'Press a button, tick a box, open a list'],
  ['Arrows', 'Move a slider, a tab or a choice'],
];

/** While a tool is held that changes the world. */
const WITH_TOOL: readonly (readonly [string, string])[] = [
  ['Drag', 'Paint, erase, move, or give a drop its radius'],
  ['Right drag', 'Turn the camera; two fingers move it, and a drag beside the water turns it'],
  ['Arrows', 'Move the crosshair'],
  ['Enter', 'Use the tool at the crosshair'],
  ['Delete', 'Erase gauges at the crosshair'],
  ['+ −', 'Wider or narrower'],
  ['Esc', 'Cancel; again: put the tool away'],
];

function Hands({ title, rows }: { readonly title: string; readonly rows: typeof ON_STAGE }) {
  return (
    <section>
      <h3 class="label">{title}</h3>
      <dl>
        {rows.map(([what, does]) => (
          <div key={what}>
            <dt>{does}</dt>
            <dd>
              <kbd class="key">{what}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function ShortcutSheet() {
  const {
    overlays: { closeOverlay },
    preferences: { singleKeys },
    commands: { commands },
  } = useLaboratory();
  return (
    <Dialog label="Keyboard shortcuts" class="sheet" onClose={closeOverlay}>
      <header class="sheet-header">
        <h2>Keyboard shortcuts</h2>
        <label class="sheet-single">
          <input
            type="checkbox"
            checked={singleKeys.value}
            onChange={(event) => {
              singleKeys.value = event.currentTarget.checked;
            }}
          />
          Single-key shortcuts
        </label>
        <button type="button" class="icon-button" aria-label="Close" autofocus onClick={closeOverlay}>
          <Icon name="close" />
        </button>
      </header>
      <div class="sheet-groups" tabindex={0} role="region" aria-label="Shortcuts by group">
        <div class="sheet-columns">
          {COMMAND_GROUPS.map((group) => {
            const listed = commands.value.filter((command) => command.group === group && command.shortcuts);
            if (listed.length === 0) return null;
            return (
              <section key={group}>
                <h3 class="label">{group}</h3>
                <dl>
                  {listed.map(({ id, title, shortcuts = [] }) => (
                    <div key={id}>
                      <dt>{title}</dt>
                      <dd>
                        {shortcuts.slice(0, 2).map((shortcut) => (
                          <Keys key={shortcut} shortcut={shortcut} />
                        ))}
                      </dd>
                    </div>
                  ))}
                </dl>
              </section>
            );
          })}
          <Hands title="The control in focus" rows={IN_FOCUS} />
          <Hands title="Pointer on the stage" rows={ON_STAGE} />
          <Hands title="On the stage, with a tool for the world" rows={WITH_TOOL} />
        </div>
      </div>
    </Dialog>
  );
}

const ENTRIES = glossaryEntries();

export function GlossarySheet() {
  const { closeOverlay } = useLaboratory().overlays;
  return (
    <Dialog label="Glossary" class="sheet" onClose={closeOverlay}>
      <header class="sheet-header">
        <h2>Glossary</h2>
        <button type="button" class="icon-button" aria-label="Close" autofocus onClick={closeOverlay}>
          <Icon name="close" />
        </button>
      </header>
      <div class="sheet-groups" tabindex={0} role="region" aria-label="Terms and their definitions">
        <dl class="glossary">
          {ENTRIES.map(({ term, gloss }) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{gloss}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Dialog>
  );
}
