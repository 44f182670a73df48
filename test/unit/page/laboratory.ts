/** A page without a window, for tests of its state. */
import type { Host } from '../../../app/host/host.ts';
import { readerHere } from '../features/reading/reader-here.ts';
import { createLaboratory, given } from '../../../app/page/laboratory.ts';
import type { Laboratory } from '../../../app/page/laboratory.ts';
import { createReaderOf } from '../../../app/features/reading/worker-reader.ts';

/** @param host what of it the test uses */
export function laboratoryOf(host: Partial<Host> = {}): Laboratory {
  return createLaboratory({
    host: { forgetLink: () => undefined, ...host } as Host,
    given: [given(createReaderOf, readerHere)],
  });
}
