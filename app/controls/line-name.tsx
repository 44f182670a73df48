/** What names a line of a chart: its colour and dash, and its words. */
import type { MethodStyle } from '../document/views/method-style.ts';
import { glossedPieces } from '../format/glossary.ts';
import { unbroken } from '../format/numbers.ts';

/** What a setting was and is, at the end of what a branch is called. */
const CHANGE = /^(?<setting>.*\S)(?<before>\s\S+)(?<after> → \S+)$/;

/**
 * Words for a narrow place: their beginning gives way, what they end with stays, `standard dev… 0.01 → 0.3`, or `… → 0.3`.
 * The place is laid out as a line of parts (`display: flex`).
 */
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

/** A method's colour and dash as a short line, as charts draw it. */
export function Swatch({ style }: { readonly style: Pick<MethodStyle, 'colour' | 'dash'> }) {
  return (
    <svg class="method-line" width="18" height="8" viewBox="0 0 18 8" aria-hidden="true" focusable="false">
      <line
        x1="1"
        x2="17"
        y1="4"
        y2="4"
        stroke-width="2.5"
        stroke-dasharray={style.dash}
        style={{ stroke: style.colour }}
      />
    </svg>
  );
}

export function GlossedText({ text }: { readonly text: string }) {
  return glossedPieces(unbroken(text)).map(({ text: part, gloss }, index) =>
    gloss === undefined ? (
      part
    ) : (
      <dfn key={index} class="term" title={gloss}>
        {part}
      </dfn>
    ),
  );
}
