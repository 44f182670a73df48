/** The glossary as a page of the window: the terms that texts have as tooltips, for who reads without a pointer. */
import { Dialog } from '../controls/dialog.tsx';
import { Icon } from '../controls/icons.tsx';
import { glossaryEntries } from '../format/glossary.ts';
import { useLaboratory } from '../page/laboratory.ts';

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
