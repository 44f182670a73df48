/** The Lorenz-96 model in SIMD: a part of a task is a member with all steps of a run. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import { createReports, reportWords, takeTogether, wasmSteps } from '../stepping-wasm.ts';
import type { StepFields } from '../stepping.ts';
import type { Lorenz96Parameters } from './parameters.ts';

const LORENZ_96 = parameterBlock('Lorenz96', {
  n: 'i32',
  steps: 'i32',
  forcing: 'f32',
  seconds: 'f32',
  state: 'pointer',
  /** Report of each part: step, cell, kind, variable, value; step −1 if nothing went wrong. */
  reports: 'pointer',
});

/** Arrays of the circle that a kernel keeps, and reals of one, as in lorenz-96.as.ts. */
const CIRCLE_ARRAYS = 4;
const realsOfCircle = (n: number): number => 4 * Math.ceil(n / 4) + 12;

const prepare: WasmOperator<Lorenz96Parameters, StepFields> = (builder, parameters) => {
  const { n, members, forcing, steps } = parameters;
  const eachMember = { bands: 1, rowsPerBand: 1, parts: members };
  const before = members > 1 && steps > 1 ? builder.reals('lorenz-96.before', n * members) : undefined;
  const reportMemory = builder.words('lorenz-96.reports', reportWords(eachMember));
  const reports = createReports(reportMemory.view, eachMember, n);
  const program = builder.program(
    'lorenz96',
    LORENZ_96,
    { n, forcing, reports: reportMemory.address },
    4 * CIRCLE_ARRAYS * realsOfCircle(n),
  );
  return wasmSteps(parameters, {
    waveRate: () => 0,
    advance(state, count, seconds) {
      program.set({ state: state.byteOffset, seconds });
      return takeTogether(state, count, before?.view(), reports, (taken) => {
        program.set({ steps: taken });
        program.run(members);
      });
    },
  });
};

export default prepare;
