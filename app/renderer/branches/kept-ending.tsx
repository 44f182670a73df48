/** Words for a narrow place: their beginning gives way, what they end with stays, `standard dev… 0.01 → 0.3`. */

/** What a setting was and is, at the end of what a branch is called. */
const CHANGE = /\s\S+ → \S+$/;

/** In a place laid out as a line of parts (`display: flex`). */
export function KeptEnding({ words }: { readonly words: string }) {
  const at = words.search(CHANGE);
  if (at <= 0) return <span class="kept-start">{words}</span>;
  return (
    <>
      <span class="kept-start">{words.slice(0, at)}</span>
      <span class="kept-end">{words.slice(at)}</span>
    </>
  );
}
