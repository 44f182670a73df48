import type { Backend } from '../../../../engine/index.ts';
import type { Measurement } from '../measures.ts';

/** One case of the verification, at the coarse grids of the test suite and at the full grids of the published table. */
export interface VerificationCase {
  /** 'V1 lake at rest'. */
  readonly name: string;
  readonly coarse: (backend: Backend) => Promise<readonly Measurement[]>;
  readonly full: (backend: Backend) => Promise<readonly Measurement[]>;
}

/** A case from its measurement and the two sets of resolutions it is made with. */
export function verificationCase<Options>(
  name: string,
  measure: (backend: Backend, options: Options) => Promise<readonly Measurement[]>,
  options: { readonly coarse: Options; readonly full: Options },
): VerificationCase {
  return {
    name,
    coarse: (backend) => measure(backend, options.coarse),
    full: (backend) => measure(backend, options.full),
  };
}
