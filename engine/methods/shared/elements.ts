/** Single elements of the states on a backend, read by the host: what an answer about one cell needs of an ensemble. */
import type { Backend, RealField } from '../../compute/backend.ts';

export interface EnsembleLayout {
  readonly members: number;
  /** Elements of a member. */
  readonly length: number;
}

/** @returns one element of every member of `ensemble`, [members][length] */
export async function readElement(
  backend: Backend,
  ensemble: RealField,
  { members, length }: EnsembleLayout,
  element: number,
): Promise<Float64Array> {
  const gathered = backend.allocate('explanation.element', 'real', members);
  try {
    for (let member = 0; member < members; member++) {
      backend.copy(ensemble, gathered, {
        sourceOffset: member * length + element,
        targetOffset: member,
        length: 1,
      });
    }
    return await backend.read(gathered);
  } finally {
    gathered.dispose();
  }
}

export function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** @returns the increment of the mean in one element: the mean of the differences, so that the large part of both cancels first */
export async function incrementAt(
  backend: Backend,
  { forecast, analysis }: { readonly forecast: RealField; readonly analysis: RealField },
  layout: EnsembleLayout,
  element: number,
): Promise<number> {
  const before = await readElement(backend, forecast, layout, element);
  const after = await readElement(backend, analysis, layout, element);
  return meanOf(after.map((value, member) => value - before[member]));
}
