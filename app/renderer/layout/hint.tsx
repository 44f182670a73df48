/** The line of the first minute: what is being seen and what to try next. It leaves at the first touch. */
import { useEffect } from 'preact/hooks';
import { hintSeen } from '../state/preferences.ts';
import { info } from '../state/session-state.ts';

export function Hint() {
  const isShown = !hintSeen.value && info.value !== undefined;
  useEffect(() => {
    if (!isShown) return undefined;
    const leave = (): void => {
      hintSeen.value = true;
    };
    window.addEventListener('pointerdown', leave);
    window.addEventListener('keydown', leave);
    return () => {
      window.removeEventListener('pointerdown', leave);
      window.removeEventListener('keydown', leave);
    };
  }, [isShown]);
  if (!isShown) return null;
  return (
    <p class="hint">
      <span>
        Left the truth, then what each method believes. Drag to look around, click the water to pin a probe, press Space
        to pause.
      </span>
    </p>
  );
}
