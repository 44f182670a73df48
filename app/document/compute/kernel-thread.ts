/**
 * A module worker that is a thread of the `wasm` backend: with its first message it gets the memory, and works until the backend is
 * disposed of.
 */
import '../../workers/strict-policy.ts';
import { runThread, type ThreadStart } from '../../../engine/index.ts';

self.addEventListener(
  'message',
  ({ data }: MessageEvent<ThreadStart>) => {
    runThread(data);
    self.close();
  },
  { once: true },
);
