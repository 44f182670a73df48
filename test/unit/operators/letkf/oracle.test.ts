import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../../engine/index.ts';
import { allBackends } from '../../../setup/backends.ts';
import { oracleCases } from '../../../setup/oracle.ts';
import type { OracleCase } from '../../../setup/oracle.ts';
import { analyse, bilinear } from './set-up.ts';
import type { Problem } from './set-up.ts';

/** An oracle case as a problem: H is bilinear at the observation's place in its own variable. */
function problemOf({ inputs, parameters }: OracleCase): Problem {
  const numbers = (name: string): Float64Array => Float64Array.from(inputs[name].data, Number);
  const [members, variables, ny, nx] = inputs['ensemble'].shape;
  const ensemble = numbers('ensemble');
  const positionX = numbers('observationX');
  const positionY = numbers('observationY');
  const variable = numbers('observationVariable');
  const count = variable.length;
  const observedEnsemble = Float64Array.from({ length: members * count }, (_, e) => {
    const o = e % count;
    const offset = (((e - o) / count) * variables + variable[o]) * ny * nx;
    return bilinear(ensemble, offset, nx, ny, positionX[o], positionY[o]);
  });
  return {
    nx,
    ny,
    periodicX: false,
    periodicY: false,
    variables,
    members,
    halfWidthCells: Number(parameters['localizationHalfWidth']),
    inflation: Number(parameters['inflation']),
    ensemble,
    observedEnsemble,
    values: numbers('observations'),
    inverseErrorStd: numbers('observationErrorVariance').map((variance) => 1 / Math.sqrt(variance)),
    positionX,
    positionY,
  };
}

describe.each(allBackends)('letkf on $name: the independent cases', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  describe.each(oracleCases('letkf'))('$name', (oracle) => {
    it.each(['dual', 'primal', 'auto'] as const)('%s', async (form) => {
      const analysis = await analyse(backend, problemOf(oracle), { form });
      expect(analysis).toBeClose(oracle.outputs['ensemble'].data, {
        relative: oracle.tolerance[precision],
      });
    });
  });
});
