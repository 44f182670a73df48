/** What closes a small panel: a press anywhere beside it. */
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

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
