/** Dialogs and questions, and what closes a small panel: a press anywhere beside it. */
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface Properties {
  /** Its name for screen readers. */
  readonly label: string;
  readonly class?: string;
  readonly onClose: () => void;
  /** Selector of what is at hand when it opens; the first that can be reached if omitted. */
  readonly first?: string;
  readonly children: ComponentChildren;
}

export function Dialog({ label, class: className = '', onClose, first, children }: Properties) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const dialog = element.current;
    dialog?.showModal();
    if (first !== undefined) dialog?.querySelector<HTMLElement>(first)?.focus();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={`dialog ${className}`}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        if (event.target === element.current) onClose();
      }}
    >
      {children}
    </dialog>
  );
}

/** A field of a form in a dialog, with help below it, or what is wrong with what was typed. */
export function DialogField({
  label,
  help,
  problem,
  value,
  onInput,
}: {
  readonly label: string;
  readonly help?: string;
  readonly problem: string | undefined;
  readonly value: string;
  readonly onInput: (text: string) => void;
}) {
  const id = useId();
  const words = problem ?? help;
  return (
    <div class="dialog-field">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="input"
        value={value}
        autocomplete="off"
        aria-describedby={words === undefined ? undefined : `${id}-words`}
        aria-invalid={problem !== undefined}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      {words !== undefined && (
        <p id={`${id}-words`} class={problem === undefined ? 'label' : 'field-problem'}>
          {words}
        </p>
      )}
    </div>
  );
}

/** @param root what a press may be in @param close is called for any other, while the panel is open */
export function useOutsidePress(root: RefObject<HTMLElement | null>, isOpen: boolean, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const press = ({ target }: PointerEvent): void => {
      if (root.current?.contains(target as Node | null) !== true) close();
    };
    // A panel may be in a window of its own.
    const page = root.current?.ownerDocument ?? document;
    page.addEventListener('pointerdown', press);
    return () => page.removeEventListener('pointerdown', press);
  }, [isOpen]);
}
