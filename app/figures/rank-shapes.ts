/** What the form of a rank histogram says, in words. */
import type { RankSummary } from '../../engine/index.ts';

export const RANK_SHAPES: Readonly<Record<RankSummary['shape'], string>> = {
  flat: 'flat: truth and members are alike',
  u: 'high at both ends: too little spread',
  dome: 'high in the middle: too much spread',
  low: 'high at low ranks: the members lie above the truth',
  high: 'high at high ranks: the members lie below the truth',
  uneven: 'uneven',
};
