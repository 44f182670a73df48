/**
 * Dialogs and questions; what closes a small panel, a press anywhere beside it; and pages over the laboratory: a head with title,
 * buttons and the way out, and below what it is about.
 */
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon } from './buttons.tsx';

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

interface PageProps {
  readonly title: string;
  readonly class: string;
  /** What is shown, in a line beside the title. */
  readonly source?: string | undefined;
  /** Buttons of the head. */
  readonly actions?: ComponentChildren;
  /** Takes a file that is dropped on the page; a page without it leaves it to the laboratory. */
  readonly onFile?: (file: File) => void;
  readonly onClose: () => void;
  /** Selector of what has the focus first; the first that can have it if omitted. */
  readonly first?: string;
  readonly children: ComponentChildren;
}

export function Page({ title, class: className, source, actions, onFile, onClose, first, children }: PageProps) {
  const dropping = onFile && {
    onDragOver(event: DragEvent): void {
      if (event.dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      event.stopPropagation();
      event.dataTransfer.dropEffect = 'copy';
    },
    onDrop(event: DragEvent): void {
      event.preventDefault();
      event.stopPropagation();
      const file = event.dataTransfer?.files[0];
      if (file) onFile(file);
    },
  };
  return (
    <Dialog label={title} class={`page ${className}`} onClose={onClose} {...(first !== undefined && { first })}>
      <div class="page-body" {...dropping}>
        <div class="page-head">
          <h2>{title}</h2>
          <p class="label page-source">{source}</p>
          {actions}
          <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </Dialog>
  );
}

interface ProgressProperties {
  /** What the bar measures, for screen readers. */
  readonly label: string;
  readonly value: number;
  readonly max: number;
  readonly count: ComponentChildren;
  /** What is being done, or what is left. */
  readonly words: string;
  readonly onCancel: () => void;
}

/** How far the work of a page is, and the way to stop it. */
export function PageProgress({ label, value, max, count, words, onCancel }: ProgressProperties) {
  return (
    <div class="page-progress">
      <progress max={max} value={value} aria-label={label} />
      <span class="page-count" role="status">
        {count}
      </span>
      <span class="label">{words}</span>
      <button type="button" class="button" onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
}

/** Why a page has nothing, or less than was asked for; nothing if there is no reason. */
export function PageFailure({ message }: { readonly message: string | undefined }) {
  if (message === undefined) return null;
  return (
    <p class="page-failure" role="alert">
      {message}
    </p>
  );
}

interface FileButtonProperties {
  /** What kind of file it takes, for screen readers. */
  readonly label: string;
  readonly disabled?: boolean;
  readonly onFile: (file: File) => void;
  readonly children: ComponentChildren;
}

/** A button that asks for a JSON file. */
export function JsonFileButton({ label, disabled = false, onFile, children }: FileButtonProperties) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class="button" disabled={disabled} onClick={() => input.current?.click()}>
        <Icon name="open" /> {children}
      </button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label={label}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file) onFile(file);
          // The same file may be asked for again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}

/** @returns what a file begins with: one byte more than `most` shows that there are more */
export async function beginningOf(file: File, most: number): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(0, most + 1).arrayBuffer());
}
