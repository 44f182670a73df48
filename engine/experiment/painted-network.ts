/**
 * The gauges that were painted, as one network that observes at the end of every cycle. Each has a stream of its own, named for what
 * it observes and where, so that its errors are the same whichever gauges are beside it and whenever it was painted.
 */
import { streamWords } from '../random/stream.ts';
import type { PaintedGauge } from '../scenario/index.ts';
import { inverseOf } from './observation-plan.ts';
import type { Observer } from './observation-plan.ts';

/** @param index of the network */
export function createPaintedNetwork(gauges: readonly PaintedGauge[], index: number, seed: number): Observer {
  const streamNames = gauges.map(({ variable, x, y }) => `gauges.${variable}.${x},${y}.error`);
  return {
    index,
    share: 1,
    moment: 0,
    positions: { x: Float64Array.from(gauges, ({ x }) => x), y: Float64Array.from(gauges, ({ y }) => y) },
    variable: gauges.map(({ variable }) => variable),
    complete(plan, start, cycle) {
      gauges.forEach(({ errorStandardDeviation }, gauge) => {
        plan.errors.push({ words: streamWords(seed, streamNames[gauge], cycle), first: start + gauge });
        plan.assumedErrorStd[start + gauge] = errorStandardDeviation;
        plan.inverseErrorStd[start + gauge] = inverseOf(errorStandardDeviation);
        plan.errorStd[start + gauge] = errorStandardDeviation;
      });
    },
  };
}
