/** Retries an asynchronous expectation until it holds: a machine that others use as well may take its time. */
import { vi } from 'vitest';

/** Many times what an idle machine needs, ms. */
const PATIENCE = 30_000;

/** @returns what the assertion returns once it does not throw; its last error when that takes too long */
export function soon<Found>(assertion: () => Found | Promise<Found>): Promise<Found> {
  return vi.waitFor(assertion, { timeout: PATIENCE });
}
