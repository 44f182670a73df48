/** What the self-check found, as `shoal check --json` prints it and the page shows it. */
import type { Backend } from '../compute/backend.ts';
import type { Measurement } from './measures.ts';

/** What a case of the self-check is: something that has to hold on every machine, measured there with its evidence. */
interface CheckContext {
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

export interface CheckedBackend {
  readonly name: Backend['name'];
  readonly adapter: string;
  readonly precision: Backend['precision'];
  /** Threads of the host that compute; null where a device does. */
  readonly threads: number | null;
}

/** A number with the bar that it has to pass; NaN, null in JSON, if there is none: it passes no bar. */
export interface Evidence extends Measurement {
  readonly passed: boolean;
}

export interface CheckResult {
  readonly id: string;
  readonly title: string;
  readonly claim: string;
  /** Where the bars come from. */
  readonly basis: string;
  readonly verdict: 'passed' | 'failed' | 'not-applicable';
  /** Why there is no evidence. */
  readonly reason?: string;
  readonly evidence: readonly Evidence[];
  readonly seconds: number;
}

export interface CheckDocument {
  /** When it was begun, ISO 8601. */
  readonly date: string;
  readonly versions: Readonly<Record<string, string>>;
  /** The machine in its own words, by what they are of. */
  readonly machine: Readonly<Record<string, string>>;
  readonly backend: CheckedBackend;
  /** Whether every case was run, and none failed. */
  readonly passed: boolean;
  /** Cases that were to be run; fewer results where it was stopped. */
  readonly cases: number;
  readonly results: readonly CheckResult[];
}

/** What is known of a check beside its results. */
export type CheckProvenance = Pick<CheckDocument, 'date' | 'versions' | 'machine' | 'backend' | 'cases'>;

export function checkDocument(provenance: CheckProvenance, results: readonly CheckResult[]): CheckDocument {
  const complete = results.length === provenance.cases;
  return { ...provenance, passed: complete && results.every(({ verdict }) => verdict !== 'failed'), results };
}
