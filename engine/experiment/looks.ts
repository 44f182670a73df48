/** When networks look at the truth in a window, and which of these times are moments inside it. */
import { momentsOf } from '../scenario/index.ts';
import type { ObservationNetwork, Scenario } from '../scenario/index.ts';
import type { Moment } from './observation-plan.ts';

/** A look of a network at the truth: when, and how many more it takes in the window after it. */
export interface Look {
  readonly share: number;
  /** As in `Layout.moment`. */
  readonly moment: number;
  readonly before: number;
}

function isMoment({ timing }: ObservationNetwork, share: number, { share: other, isInTime }: Moment): boolean {
  return share === other && (timing?.firstGuess !== 'at-analysis') === isInTime;
}

/** The moments inside a window of all networks, each once, by share. */
export function innerMoments(networks: Scenario['observations']): readonly Moment[] {
  const found: Moment[] = [];
  for (const network of networks) {
    const isInTime = network.timing?.firstGuess !== 'at-analysis';
    for (const share of momentsOf(network)) {
      if (share < 1 && !found.some((moment) => isMoment(network, share, moment))) found.push({ share, isInTime });
    }
  }
  return found.toSorted((a, b) => a.share - b.share || Number(a.isInTime) - Number(b.isInTime));
}

/** @returns when a network looks in a window, rising. @param moments of all networks inside it */
export function looksOf(network: ObservationNetwork, moments: readonly Moment[]): readonly Look[] {
  const shares = momentsOf(network);
  return shares.map((share, i) => ({
    share,
    moment: share === 1 ? 0 : 1 + moments.findIndex((moment) => isMoment(network, share, moment)),
    before: shares.length - 1 - i,
  }));
}
