/**
 * The offset of the device's clock from the host's. Work does not begin before it is submitted, and is over before the host
 * learns of it: each submission bounds what has to be added to a device's time from both sides, and all of them together bound
 * it the better the more there are. The middle of what is left is taken; half of its width is how far off it may be.
 */

/** One submission: two moments of the host around two of the device, each in milliseconds of its own clock. */
interface CorrelatedMoments {
  readonly submitted: number;
  readonly begun: number;
  readonly ended: number;
  readonly arrived: number;
}

export interface ClockCorrelation {
  observe(moments: CorrelatedMoments): void;
  /** @returns the host's time of a device's, ms; NaN before anything was observed */
  toHost(milliseconds: number): number;
  /** Half the width of what the observations leave open, ms; Infinity before there are any. */
  readonly errorMilliseconds: number;
}

export function createClockCorrelation(): ClockCorrelation {
  let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const offset = (): number => (low + high) / 2;
  return {
    observe({ submitted, begun, ended, arrived }) {
      const [atLeast, atMost] = [submitted - begun, arrived - ended];
      // No clock goes backwards: a device that says so cannot be laid beside the host.
      if (!(begun <= ended && atLeast <= atMost)) return;
      low = Math.max(low, atLeast);
      high = Math.min(high, atMost);
      // The clocks have drifted apart since: what is known is what was seen last.
      if (low > high) [low, high] = [atLeast, atMost];
    },
    toHost: (milliseconds) => milliseconds + offset(),
    get errorMilliseconds() {
      return (high - low) / 2;
    },
  };
}
