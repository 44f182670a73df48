/** What computes in this page: results of another version, or of another browser, may differ. */
import { version } from '../../package.json';

/** By name, as a run folder keeps them. */
export function versionsHere(): Readonly<Record<string, string>> {
  // A test has no browser.
  return { shoal: version, ...(typeof navigator !== 'undefined' && { browser: navigator.userAgent }) };
}
