/**
 * The reference backend: float64 typed arrays and plain TypeScript. It is the specification the other backends are held
 * to, and the one that runs if nothing faster is available.
 */
import type { Backend } from '../backend.ts';
import { createHostBackend } from './host-backend.ts';

/** @returns a backend of its own, with nothing allocated */
export function createReferenceBackend(): Backend {
  return createHostBackend('float64');
}
