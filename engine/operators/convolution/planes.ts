/** The operator `separableConvolution2d`: a filter along x and another along y, on each field of a batch. */
import type { Cost } from '../../compute/backend.ts';
import { count, defineOperator } from '../../compute/define-operator.ts';
import { planesReference } from './reference.ts';
import type { SeparableConvolution2dParameters, SeparableConvolution2dFields } from './parameters.ts';
import { checkTaps, planesPasses } from './passes.ts';

/** Two passes, each of which reads and writes the fields once; a multiplication and an addition a tap and point. */
function cost(parameters: SeparableConvolution2dParameters, elementBytes: number): Cost {
  const [first, second] = planesPasses(parameters);
  const points = parameters.nx * parameters.ny * parameters.batch;
  return {
    bytes: 2 * 2 * points * elementBytes,
    flops: 2 * (first.band.width + second.band.width) * points,
  };
}

export const separableConvolution2d = defineOperator<SeparableConvolution2dParameters, SeparableConvolution2dFields>({
  name: 'separable-convolution-2d',
  parameters: { nx: count, ny: count, batch: count },
  check({ tapsX, tapsY }) {
    checkTaps('separable-convolution-2d', 'tapsX', tapsX);
    checkTaps('separable-convolution-2d', 'tapsY', tapsY);
  },
  fields: { input: 'real', output: 'real' },
  cost,
  reference: (parameters) => planesReference(parameters, planesPasses(parameters)),
  wasm: async () => (await import('./wasm-band.ts')).separableConvolution2d,
  webgpu: async () => (await import('./webgpu-band.ts')).separableConvolution2d,
});
