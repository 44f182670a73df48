import { expect } from 'vitest';
import { passes } from '../../../engine/check/measures.ts';
import type { Measurement } from '../../../engine/check/measures.ts';
import { tableRow } from './table.ts';

/** Holds every measurement of a case to its bar; a failure shows the rows that fell short. */
export function expectToPass(name: string, measurements: readonly Measurement[]): void {
  expect(measurements.length).toBeGreaterThan(0);
  expect(measurements.filter((measurement) => !passes(measurement)).map((failed) => tableRow(name, failed))).toEqual(
    [],
  );
}
