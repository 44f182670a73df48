/** The scenarios that ship. */
import { Dialog } from '../../layout/dialog.tsx';
import { BUNDLED_SCENARIOS } from '../../state/bundled-scenarios.ts';
import { openBundled } from '../../state/open-scenario.ts';
import { closeOverlay } from '../../state/overlays.ts';

export function Gallery() {
  return (
    <Dialog label="Scenarios" onClose={closeOverlay}>
      {BUNDLED_SCENARIOS.map(({ name }) => (
        <button
          key={name}
          type="button"
          class="icon-button"
          onClick={() => {
            closeOverlay();
            void openBundled(name);
          }}
        >
          {name}
        </button>
      ))}
    </Dialog>
  );
}
