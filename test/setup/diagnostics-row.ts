/** A cycle's diagnostics of a method, for tests of what keeps them: they know nothing of what the numbers mean. */
import type { CycleDiagnostics } from '../../engine/index.ts';

/** @param values errors and spread of h and hu, of forecast and analysis alike */
export function diagnosticsRow(
  method: string,
  cycle: number,
  values: { readonly h: number; readonly hu: number },
): CycleDiagnostics {
  return {
    method,
    cycle,
    timeSeconds: cycle + 1,
    rmse: { forecast: values, analysis: values },
    spread: { forecast: values, analysis: values },
    crps: { forecast: { h: 0.25 }, analysis: { h: 0.125 } },
    fairCrps: { forecast: { h: 0.2 }, analysis: { h: 0.1 } },
    rankHistogram: { h: [3, 1, 4] },
    innovation: undefined,
    minimisation: undefined,
    milliseconds: { forecast: 1, analysis: 2 },
  };
}
