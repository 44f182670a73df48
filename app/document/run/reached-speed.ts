/** The speed that playing reaches, measured over the last cycles. */

/** Cycles that the speed is measured over. */
const MEASURED_CYCLES = 6;
/** Playing falls short of a speed if it reaches less than this share of it. */
const SHORT_OF = 0.85;

/** Measures one row of playing. */
export interface ReachedSpeed {
  /** @param now ms, when a cycle came on screen @returns cycles a second; undefined before three cycles were shown */
  readonly arrived: (now: number) => number | undefined;
}

export function measureSpeed(): ReachedSpeed {
  let arrivals: readonly number[] = [];
  return {
    arrived: (now) => {
      arrivals = [...arrivals, now].slice(-(MEASURED_CYCLES + 1));
      const seconds = (now - arrivals[0]) / 1000;
      return arrivals.length > 2 && seconds > 0 ? (arrivals.length - 1) / seconds : undefined;
    },
  };
}

/** @returns `2.1/s reached`; undefined while the wanted speed is reached, or nothing is known */
export function reachedText(wanted: number, reached: number | undefined): string | undefined {
  if (reached === undefined || reached >= SHORT_OF * wanted) return undefined;
  return `${reached < 1 ? reached.toPrecision(1) : reached.toPrecision(2)}/s reached`;
}
