/** The line of the first minute: what is being seen and what to try next. It leaves at the first touch. */
import { useSignalEffect } from '@preact/signals';
import { hintSeen, touched } from '../state/preferences.ts';
import { info } from '../state/session-state.ts';

export function Hint() {
  useSignalEffect(() => {
    if (touched.value && info.value !== undefined) hintSeen.value = true;
  });
  if (hintSeen.value || info.value === undefined) return null;
  return <p class="hint">The truth, and what each method believes of it. Drag to look around, click to pin a probe.</p>;
}
