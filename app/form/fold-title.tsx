/** The title of a part of the settings, which opens and folds what is under it. */
import type { ComponentChildren } from 'preact';
import { Icon } from '../controls/icons.tsx';

interface Properties {
  /** Names the part: `aria-labelledby` of what folds. */
  readonly id: string;
  readonly open: boolean;
  readonly help?: string | undefined;
  readonly onToggle: () => void;
  /** Its words, and what is marked of it. */
  readonly children: ComponentChildren;
}

export function FoldTitle({ id, open, help, onToggle, children }: Properties) {
  return (
    <button type="button" id={id} class="settings-group-title" aria-expanded={open} title={help} onClick={onToggle}>
      <Icon name="chevron" />
      {children}
    </button>
  );
}
