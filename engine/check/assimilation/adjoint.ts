/** Whether an operator's adjoint is its adjoint: ⟨Ax, y⟩ = ⟨x, Aᵀy⟩ for random x and y. */
import type { Backend, RealField } from '../../compute/backend.ts';
import { normals } from '../draws.ts';
import { dot, norm } from './dense.ts';

/** A linear operator on a backend with its adjoint. */
export interface LinearOperator {
  /** Elements of x, and of y. */
  readonly columns: number;
  readonly rows: number;
  /** output = A input */
  apply(input: RealField, output: RealField): void;
  /** output = Aᵀ input */
  applyAdjoint(input: RealField, output: RealField): void;
}

export interface AdjointTest {
  /** |⟨Ax, y⟩ − ⟨x, Aᵀy⟩| / (‖Ax‖ ‖y‖) */
  readonly difference: number;
  /** |⟨x, Aᵀy⟩| / (‖Ax‖ ‖y‖): above rounding by far, or two zeros were compared. */
  readonly size: number;
}

/**
 * What the difference may be: both sides are sums of products whose sizes add up to at most ‖Ax‖‖y‖, and each operand carries a
 * few tens of roundings, of 2⁻⁵³ or 2⁻²⁴.
 */
export function adjointBound(precision: Backend['precision']): number {
  return precision === 'float64' ? 1e-12 : 1e-5;
}

/** Two random directions in some hundred dimensions are at a cosine of a tenth; what is far below that is the equality of zeros. */
export const LEAST_ADJOINT_SIZE = 1e-4;

export async function testAdjoint(backend: Backend, operator: LinearOperator): Promise<AdjointTest> {
  const { columns, rows } = operator;
  const [x, y] = [normals(columns, 'x'), normals(rows, 'y')];
  const source = backend.allocate('adjoint.x', 'real', columns);
  const target = backend.allocate('adjoint.y', 'real', rows);
  backend.write(source, x);
  operator.apply(source, target);
  const ax = await backend.read(target);
  backend.write(target, y);
  operator.applyAdjoint(target, source);
  const aty = await backend.read(source);
  for (const field of [source, target]) field.dispose();
  const scale = norm(ax) * norm(y);
  return { difference: Math.abs(dot(ax, y) - dot(x, aty)) / scale, size: Math.abs(dot(x, aty)) / scale };
}
