/** Says which cycle the picture is of while the cycle on screen is still being drawn. */
import { useEffect, useState } from 'preact/hooks';
import { useRun } from '../../document/context.ts';
import { lateWords } from '../view-words.ts';

/** A picture that comes sooner is not late, ms. */
const PATIENCE = 300;

export function LateSign() {
  const words = lateWords(useRun());
  const isLate = words !== undefined;
  const [isSaid, setSaid] = useState(false);
  useEffect(() => {
    setSaid(false);
    if (!isLate) return undefined;
    const timer = setTimeout(() => setSaid(true), PATIENCE);
    return () => clearTimeout(timer);
  }, [isLate]);
  if (!isLate || !isSaid) return null;
  return <p class="stage-late">{words}</p>;
}
