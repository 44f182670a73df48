/** The kernels of the measurement in SIMD, on all threads. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import { partsFor, type WasmOperator } from '../../compute/wasm/program.ts';
import type { MultiplyAddParameters, StreamCopyParameters } from './parameters.ts';

const CEILING = parameterBlock('Ceiling', {
  length: 'i32',
  segment: 'i32',
  steps: 'i32',
  source: 'pointer',
  target: 'pointer',
});

/** Reals of a part; multiples of 32, as many as a step of the kernel takes. */
const COPIED = 262_144;
const ADVANCED = 4096;

export const streamCopy: WasmOperator<StreamCopyParameters, { source: 'real'; target: 'real' }> = (
  builder,
  { length, repeats },
) => {
  const program = builder.program('ceilingCopy', CEILING, { length, segment: COPIED });
  return ({ source, target }) => {
    program.set({ source: source.byteOffset, target: target.byteOffset });
    for (let n = 0; n < repeats; n++) program.run(partsFor(length, COPIED));
  };
};

export const multiplyAdd: WasmOperator<MultiplyAddParameters, { values: 'real' }> = (
  builder,
  { length, steps, repeats },
) => {
  const program = builder.program('ceilingMultiplyAdd', CEILING, { length, segment: ADVANCED, steps });
  return ({ values }) => {
    program.set({ target: values.byteOffset });
    for (let n = 0; n < repeats; n++) program.run(partsFor(length, ADVANCED));
  };
};
