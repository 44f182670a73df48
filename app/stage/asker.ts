/** Who asks for the next picture: the run, which can wait for it, or a hand, which must not. */
import type { Asker } from './draw-loop.ts';
import type { StageModel } from './stage-model.ts';

/** What of a model somebody has chosen. */
function chosen({
  snapshot: _s,
  transit: _t,
  isRunning: _i,
  room: _r,
  lockedRanges: _l,
  members: _m,
  further: _f,
  subjects,
  instead,
  ...rest
}: StageModel) {
  const { title, symbol, marks } = instead ?? {};
  return { ...rest, subjects: JSON.stringify(subjects), instead: JSON.stringify([title, symbol, marks]) };
}

/** @returns whether what the views show differs in nothing but what comes by itself: the run continues, and words follow it */
function onlyTheRunWentOn(before: StageModel, next: StageModel): boolean {
  // A run that neither plays nor computes shows another cycle because somebody went there.
  if (before.snapshot !== next.snapshot && !next.isRunning) return false;
  // Other planes of the same cycle are an answer that somebody waits for.
  if (before.snapshot === next.snapshot && before.instead?.planes !== next.instead?.planes) return false;
  const [a, b] = [chosen(before), chosen(next)];
  return (Object.keys(a) as (keyof typeof a)[]).every((key) => a[key] === b[key]);
}

/** @param before undefined if nothing was shown yet */
export function askerOf(before: StageModel | undefined, next: StageModel): Asker {
  return !before || onlyTheRunWentOn(before, next) ? 'run' : 'hand';
}
