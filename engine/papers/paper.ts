/** What Shoal says about a paper: who wrote it, what it is about, and which suite of benchmarks measures its tables again. */
import type { Suite } from '../benchmarks/index.ts';

/** A table of a paper that is not measured again. */
export interface QuotedTable {
  readonly title: string;
  /** Names of the numbers, with their units. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly [name: string, ...numbers: number[]])[];
}

export interface Paper {
  readonly id: 'recursive-filter' | 'separable-convolution' | 'letkf' | 'gain-covariance';
  /** What the paper is about, as a heading. */
  readonly subject: string;
  readonly authors: readonly string[];
  /** Title, where it was published and when, as far as known; empty if it is not. */
  readonly publication: string;
  /** Its key in REFERENCES.md. */
  readonly key: string;
  /** The suite whose rows are its tables. */
  readonly suite: Suite;
  /** Two or three sentences: the idea, and what its figure shows. */
  readonly summary: string;
  readonly quoted?: readonly QuotedTable[];
}
