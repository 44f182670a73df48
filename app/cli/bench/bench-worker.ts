/** The thread in which the reference backend runs benchmarks, so that Ctrl-C is noticed; `execute.ts` starts it. */
import { setImmediate as turn } from 'node:timers/promises';
import { createReferenceBackend } from '../../../engine/index.ts';
import { serveBenchmarks } from '../../services/benchmarks.ts';
import { portOfThisThread } from '../thread.ts';

serveBenchmarks(portOfThisThread(), createReferenceBackend, () => turn());
