/** What is tuned on a backend: the tasks of all rooms that offer variants of a kernel. */
import type { BackendName } from '../compute/backend.ts';
import type { TuningTask } from '../compute/tuning/index.ts';
import { convolutionTuning } from '../operators/convolution/index.ts';
import { recursiveFilterTuning } from '../operators/recursive-filter/index.ts';

/** What a room tunes. */
export type RoomTasks = Readonly<Record<Exclude<BackendName, 'reference'>, readonly TuningTask[]>>;

const ROOMS: readonly RoomTasks[] = [convolutionTuning, recursiveFilterTuning];

/** @returns the tasks in an order in which those come first that gain most: they get their time for sure */
export function tuningTasks(backend: BackendName): readonly TuningTask[] {
  return backend === 'reference' ? [] : ROOMS.flatMap((room) => room[backend]);
}
