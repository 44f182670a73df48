import type { Backend } from '../../compute/backend.ts';
import type { Measurement } from '../measures.ts';

/**
 * One case of the verification: at the full grids of the published table, at the coarse grids of the test suite, and, where
 * float32 is to be watched, at grids that a GPU in software can manage; and at those of the self-check, which may be fewer yet.
 */
export interface VerificationCase {
  /** 'V1 lake at rest'. */
  readonly name: string;
  readonly coarse: (backend: Backend) => Promise<readonly Measurement[]>;
  readonly brief?: (backend: Backend) => Promise<readonly Measurement[]>;
  readonly full: (backend: Backend) => Promise<readonly Measurement[]>;
  readonly check?: (backend: Backend) => Promise<readonly Measurement[]>;
}

/** A case from its measurement and the resolutions it is made with. */
export function verificationCase<Options>(
  name: string,
  measure: (backend: Backend, options: Options) => Promise<readonly Measurement[]>,
  {
    coarse,
    full,
    brief,
    check = brief,
  }: { readonly coarse: Options; readonly full: Options; readonly brief?: Options; readonly check?: Options },
): VerificationCase {
  return {
    name,
    coarse: (backend) => measure(backend, coarse),
    ...(brief && { brief: (backend: Backend) => measure(backend, brief) }),
    ...(check && { check: (backend: Backend) => measure(backend, check) }),
    full: (backend) => measure(backend, full),
  };
}
