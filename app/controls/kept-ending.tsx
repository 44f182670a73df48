/** Words for a narrow place: their beginning gives way, what they end with stays, `standard dev… 0.01 → 0.3`, or `… → 0.3`. */

/** What a setting was and is, at the end of what a branch is called. */
const CHANGE = /^(?<setting>.*\S)(?<before>\s\S+)(?<after> → \S+)$/;

/** In a place laid out as a line of parts (`display: flex`). */
export function KeptEnding({ words }: { readonly words: string }) {
  const parts = CHANGE.exec(words)?.groups;
  if (!parts) return <span class="kept-start">{words}</span>;
  return (
    <>
      <span class="kept-start">{parts['setting']}</span>
      <span class="kept-before">{parts['before']}</span>
      <span class="kept-end">{parts['after']}</span>
    </>
  );
}
