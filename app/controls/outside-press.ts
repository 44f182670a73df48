/** What closes a small panel: a press anywhere beside it. */
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** @param root what a press may be in @param close is called for any other, while the panel is open */
export function useOutsidePress(root: RefObject<HTMLElement | null>, isOpen: boolean, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const press = ({ target }: PointerEvent): void => {
      if (target instanceof Node && root.current?.contains(target) !== true) close();
    };
    document.addEventListener('pointerdown', press);
    return () => document.removeEventListener('pointerdown', press);
  }, [isOpen]);
}
