/** What runs are saved with their states by: where they are computed again, and where the page keeps what is not saved yet. */
import { removeScratch, scratchRoom, sweepScratch } from './scratch.ts';
import type { ScratchRoom } from './scratch.ts';
import type { WritingParts } from './write-states.ts';
import type { Laboratory } from '../../page/laboratory.ts';

export interface SavingParts extends WritingParts {
  /** What the page has room for. */
  readonly room: () => Promise<ScratchRoom>;
  /** Removes files of the page's own storage. */
  readonly remove: (names: readonly string[]) => Promise<void>;
  /** Removes those that pages have left that are gone. */
  readonly sweep: () => Promise<void>;
}

/** @returns the parts of a page */
export function savingParts(openHeadless: WritingParts['openHeadless']): SavingParts {
  return { openHeadless, room: scratchRoom, remove: removeScratch, sweep: () => sweepScratch() };
}

/** Runs cannot be saved with their states if a page is given nothing else. */
export function createSavingOf(): SavingParts | undefined {
  return undefined;
}

/** @returns what runs of a page are saved with their states by */
export function savingOf(laboratory: Laboratory): SavingParts | undefined {
  return laboratory.use(createSavingOf);
}
