/** What the kernels of `cholesky.as.ts` take. */
import { parameterBlock } from '../../compute/wasm/parameter-block.ts';

export const CHOLESKY = parameterBlock('Cholesky', {
  size: 'i32',
  column: 'i32',
  width: 'i32',
  segment: 'i32',
  matrix: 'pointer',
  solution: 'pointer',
  status: 'pointer',
  first: 'pointer',
});

/** Rows of a part. */
export const ROWS = 16;
