/** What the probes of a session saw so far, gathered for who plots it. */
import type { CellReading, ProbeCell } from '../../../engine/index.ts';
import type { ProbeReading, Session } from './session.ts';

type ProbeListener = Parameters<Session['onProbe']>[0];

/** Readings that are kept of a cell; the oldest go first. */
const MOST_READINGS = 4096;

export interface ReadingLog {
  /** Forgets the readings of cells that are not among these. */
  keepOnly(cells: readonly ProbeCell[], nx: number): void;
  add(readings: readonly CellReading[]): void;
  listen(listener: ProbeListener): () => void;
}

export function createReadingLog(): ReadingLog {
  const byCell = new Map<number, ProbeReading[]>();
  const listeners = new Set<ProbeListener>();
  return {
    keepOnly(cells, nx) {
      const kept = new Set(cells.map(({ x, y }) => y * nx + x));
      for (const cell of byCell.keys()) if (!kept.has(cell)) byCell.delete(cell);
    },
    add(readings) {
      for (const { cell, reading } of readings) {
        const list = [...(byCell.get(cell) ?? []), reading].slice(-MOST_READINGS);
        byCell.set(cell, list);
        for (const listener of listeners) listener(cell, list);
      }
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
