/** Boxes of small multiples: equal ones in rows, as large as their place allows. */

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface FacetBox extends Box {
  /** Whether it is at the left, and whether none is below it: there its axes have their labels. */
  readonly isFirst: boolean;
  readonly isLowest: boolean;
}

export interface FacetRoom {
  readonly count: number;
  readonly width: number;
  readonly height: number;
  /** Pixels that the words of the axes take at the left of all and below all. */
  readonly left: number;
  readonly bottom: number;
  /** Above each box. */
  readonly head: number;
  /** Between two boxes. */
  readonly gap: number;
  /** A box is never smaller, which may take more height than there is, and never larger. */
  readonly least: { readonly width: number; readonly height: number };
  readonly most: { readonly width: number; readonly height: number };
}

/** Width over height that a box is best read at. */
const ASPECT = 1.6;

function boxOf(room: FacetRoom, columns: number): { readonly width: number; readonly height: number } {
  const rows = Math.ceil(room.count / columns);
  const width = (room.width - room.left - (columns - 1) * room.gap) / columns;
  const height = (room.height - room.bottom - rows * room.head - (rows - 1) * room.gap) / rows;
  return {
    width: Math.max(Math.min(room.least.width, room.width - room.left), Math.min(room.most.width, width)),
    height: Math.max(room.least.height, Math.min(room.most.height, height)),
  };
}

/** @returns the boxes in reading order, and the height that all of them take */
export function facetBoxes(room: FacetRoom): { readonly boxes: readonly FacetBox[]; readonly height: number } {
  const { count, left, head, gap, bottom } = room;
  let columns = 1;
  let largest = 0;
  for (let tried = 1; tried <= count; tried++) {
    if (tried > 1 && (room.width - left - (tried - 1) * gap) / tried < room.least.width) break;
    const { width, height } = boxOf(room, tried);
    const size = Math.min(width, ASPECT * height);
    // Of two that are as large, the one with fewer rows.
    if (size < largest) continue;
    largest = size;
    columns = tried;
  }
  const { width, height } = boxOf(room, columns);
  const boxes = Array.from({ length: count }, (_, index): FacetBox => {
    const [row, column] = [Math.floor(index / columns), index % columns];
    return {
      left: left + column * (width + gap),
      top: head + row * (height + head + gap),
      width,
      height,
      isFirst: column === 0,
      isLowest: index + columns >= count,
    };
  });
  const rows = Math.ceil(count / columns);
  return { boxes, height: rows * (head + height) + (rows - 1) * gap + bottom };
}
