/** Why the analysis of a window is what it is: with the covariance M′ B M′ᵀ at any time of it. */
import { randomStream } from '../../random/stream.ts';
import type { ControlTransform } from '../covariances/index.ts';
import { explainWith } from '../explanation.ts';
import type { Method, MethodContext } from '../method.ts';
import { explainVariational, type VariationalParts } from '../variational/index.ts';
import type { WindowAnalysis } from './window-analysis.ts';

/** Random control vectors from which deviations inside the window and at its end are estimated: each to about 1/√(2n), 6 %. */
const DEVIATION_SAMPLES = 128;

/** √diag M′ B M′ᵀ at a time of the window, estimated. @returns [variable][y][x] */
async function sampledDeviations(
  { backend, seed }: MethodContext,
  transform: ControlTransform,
  length: number,
): Promise<Float64Array> {
  const stream = randomStream(seed, 'explanations.deviations', 0);
  const control = backend.allocate('deviations.control', 'real', transform.length);
  const increment = backend.allocate('deviations.increment', 'real', length);
  const squares = new Float64Array(length);
  for (let sample = 0; sample < DEVIATION_SAMPLES; sample++) {
    backend.write(
      control,
      Float64Array.from({ length: transform.length }, () => (stream.uniform() < 0.5 ? -1 : 1)),
    );
    transform.apply(control, increment);
    const made = await backend.read(increment);
    for (let i = 0; i < length; i++) squares[i] += made[i] ** 2;
  }
  control.dispose();
  increment.dispose();
  return squares.map((sum) => Math.sqrt(sum / DEVIATION_SAMPLES));
}

interface WindowExplanation {
  readonly explain: Method['explain'];
  readonly analysedVariance: NonNullable<Method['analysedVariance']>;
  /** To be called before an analysis: what was estimated about the trajectory before holds no more. */
  forget(): void;
}

/** What answers are made of, which stays its owner's; the covariance is that of the analysis. */
interface WindowParts extends Omit<VariationalParts, 'transform' | 'backgroundDeviations' | 'during'> {
  readonly analysis: WindowAnalysis;
}

export function explainWindow(context: MethodContext, parts: WindowParts): WindowExplanation {
  const { analysis } = parts;
  const { length } = analysis.fields.increment;
  /** By share of the window, about the trajectory that it is linearised about. */
  let deviations = new Map<number, Float64Array>();
  const during = (share: number) => {
    const then = analysis.observedWindow.transformTo(share);
    const backgroundDeviations = async (): Promise<Float64Array> => {
      const known = deviations;
      const found = known.get(share) ?? (await sampledDeviations(context, then, length));
      known.set(share, found);
      return found;
    };
    return { transform: then, backgroundDeviations };
  };
  const explanation = explainVariational(context, { ...parts, ...during(1), during });
  const explain = explainWith(explanation.answers);
  const forget = (): void => {
    deviations = new Map();
  };
  return {
    async explain(question, forecast) {
      if (await analysis.linearised()) forget();
      return explain(question, forecast);
    },
    analysedVariance: (row, forecast) => explanation.analysedVariance(row, forecast),
    forget,
  };
}
