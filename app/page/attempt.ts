/** Work that may fail for outside reasons, such as a missing permission or a full disk: reported, never thrown. */
import type { Notices } from './notices.ts';

/** @param what it is, as in `Saving the run` */
export async function attempt(
  { notices }: { readonly notices: Pick<Notices, 'notify'> },
  what: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    notices.notify('error', `${what} failed`, { lines: [error instanceof Error ? error.message : String(error)] });
  }
}
