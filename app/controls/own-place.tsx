/** The place of a panel that is shown in a window of its own. */
import { useLaboratory } from '../page/laboratory.ts';
import type { OwnPanel } from '../page/own-windows.ts';

export function OwnPlace({ panel: { id, title } }: { readonly panel: OwnPanel }) {
  const { ownWindows } = useLaboratory();
  return (
    <div class="own-place" role="group" aria-label={title}>
      <p>
        <strong>{title}</strong> is shown in its own window.
      </p>
      <button type="button" class="button" onClick={() => ownWindows.bringBack(id)}>
        Bring it back
      </button>
      <button type="button" class="button" onClick={() => void ownWindows.focus(id)}>
        Go to it
      </button>
    </div>
  );
}
