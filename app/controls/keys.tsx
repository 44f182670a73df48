/** A shortcut as keys. */
import { shownKeys } from '../page/shortcuts.ts';

export function Keys({ shortcut }: { readonly shortcut: string }) {
  return (
    <span class="keys">
      {shownKeys(shortcut).map((key) => (
        <kbd key={key} class="key">
          {key}
        </kbd>
      ))}
    </span>
  );
}
