/** A text whose terms of the field have their definitions as tooltips. */
import { glossedPieces } from '../format/glossary.ts';

export function GlossedText({ text }: { readonly text: string }) {
  return glossedPieces(text).map(({ text: part, gloss }, index) =>
    gloss === undefined ? (
      part
    ) : (
      <dfn key={index} class="term" title={gloss}>
        {part}
      </dfn>
    ),
  );
}
