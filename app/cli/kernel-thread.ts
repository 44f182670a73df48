/** A thread of the `wasm` backend: with its first message it gets the memory and works from then on until the backend is disposed of. */
import { runThread, type ThreadStart } from '../../engine/index.ts';
import { portOfThisThread } from './thread.ts';

portOfThisThread<ThreadStart, never>().listen((start) => runThread(start));
