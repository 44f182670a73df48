/** What a case of the self-check is: something that has to hold on every machine, measured there with its evidence. */
import type { Backend } from '../compute/backend.ts';
import type { Measurement } from './measures.ts';

export interface CheckContext {
  /** What is checked. */
  readonly backend: Backend;
  /** A turn of the thread: lets signals and messages in. @throws StoppedError where the check was given up */
  readonly turn: () => Promise<void>;
}

/** A case could not be measured on this backend, and need not be. */
interface NotApplicable {
  readonly notApplicable: string;
}

export interface CheckCase {
  /** Stays from version to version. */
  readonly id: string;
  readonly title: string;
  /** What has to hold, in a sentence or two. */
  readonly claim: string;
  /** Where the bars come from. */
  readonly basis: string;
  readonly measure: (context: CheckContext) => Promise<readonly Measurement[] | NotApplicable>;
}
