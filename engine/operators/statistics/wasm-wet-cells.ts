/** The weights of wet cells in SIMD: which there are, and then what each weighs. */
import { parameterBlock } from '../../compute/parameter-block.ts';
import { partsFor } from '../../compute/wasm/program.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import type { WetCellsFields, WetCellsParameters } from './parameters.ts';

const WET_CELLS = parameterBlock('WetCells', {
  members: 'i32',
  state: 'i32',
  cells: 'i32',
  segment: 'i32',
  dryDepth: 'f32',
  /** What a wet cell weighs. */
  share: 'f32',
  ensemble: 'pointer',
  truth: 'pointer',
  bed: 'pointer',
  weight: 'pointer',
  /** Of each part, how many are wet. */
  counts: 'pointer',
});

/** Cells of a part. */
const SEGMENT = 16_384;

const prepare: WasmOperator<WetCellsParameters, WetCellsFields> = (
  builder,
  { members, variables, cells, dryDepth },
) => {
  const parts = partsFor(cells, SEGMENT);
  const counts = builder.words('wet-cells.counts', parts);
  const constants = { members, state: variables * cells, cells, segment: SEGMENT, dryDepth, counts: counts.address };
  const marking = builder.program('markWetCells', WET_CELLS, constants);
  const weighing = builder.program('weighWetCells', WET_CELLS, constants);
  return ({ ensemble, truth, bed, weight }) => {
    marking.set({
      ensemble: ensemble.byteOffset,
      truth: truth.byteOffset,
      bed: bed.byteOffset,
      weight: weight.byteOffset,
    });
    marking.run(parts);
    const wet = counts.view().reduce((sum, count) => sum + count, 0);
    if (wet === 0 || wet === cells) return;
    weighing.set({ weight: weight.byteOffset, share: cells / wet });
    weighing.run(parts);
  };
};

export default prepare;
