/** Keys that a chart, a grid or a list takes for itself. */

/**
 * @param moves by the name of a key
 * @returns what the key means, which then is nobody else's; undefined for other keys, and for all with Ctrl, Meta or Alt
 */
export function takeKey<Move>(event: KeyboardEvent, moves: Readonly<Record<string, Move>>): Move | undefined {
  if (!Object.hasOwn(moves, event.key) || event.ctrlKey || event.metaKey || event.altKey) return undefined;
  event.preventDefault();
  event.stopPropagation();
  return moves[event.key];
}
