/** What the kernels of `cholesky.as.ts` take. */
import { parameterBlock } from '../../compute/parameter-block.ts';

export const CHOLESKY = parameterBlock('Cholesky', {
  size: 'i32',
  /** First column of the panel, and how many it has. */
  column: 'i32',
  width: 'i32',
  /** Rows of a part beneath the diagonal block. */
  segment: 'i32',
  matrix: 'pointer',
  solution: 'pointer',
  status: 'pointer',
  /** Of each row, the column of its first entry. */
  first: 'pointer',
});

/** Rows of a part. */
export const ROWS = 16;
