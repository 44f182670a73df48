/** Events of the active world tool on the stage. */
import type { GridPoint } from '../document/views/view-state.ts';

/** What a hand, a pen or the keyboard does with the tool that it holds. */
export type ToolEvent =
  /** It comes down on the water of a view, moves there, and is lifted. */
  | { readonly kind: 'down'; readonly cell: GridPoint; readonly erases: boolean; readonly subject?: string | undefined }
  | { readonly kind: 'move'; readonly cell: GridPoint }
  | { readonly kind: 'up' }
  /** It was no stroke after all. */
  | { readonly kind: 'give-up' }
  /** Keys have moved the crosshair there. */
  | { readonly kind: 'cursor'; readonly cell: GridPoint }
  /** The tool is used, or what is there is erased, at the crosshair. */
  | { readonly kind: 'press' | 'erase'; readonly cell: GridPoint }
  | { readonly kind: 'resize'; readonly by: 1 | -1 }
  | { readonly kind: 'leave' };
