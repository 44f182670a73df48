/** What is tuned on a backend: the tasks of all rooms that offer variants of a kernel. */
import type { BackendName } from '../compute/backend.ts';
import type { TuningTask } from '../compute/tuning/index.ts';
import { convolutionTuning } from '../operators/convolution/index.ts';
import { recursiveFilterTuning } from '../operators/recursive-filter/index.ts';

/** What a room tunes. */
type RoomTasks = Readonly<Record<Exclude<BackendName, 'reference'>, readonly TuningTask[]>>;

/** Rooms whose kernels runs are made of, and those that are there to be applied and measured; quick ones first. */
const ROOMS: Readonly<Record<'ofRuns' | 'others', readonly RoomTasks[]>> = {
  ofRuns: [recursiveFilterTuning],
  others: [convolutionTuning],
};

/** @param use all kernels, or those alone that runs are made of */
export function tuningTasks(backend: BackendName, use: 'all' | 'runs' = 'all'): readonly TuningTask[] {
  if (backend === 'reference') return [];
  const rooms = use === 'all' ? [...ROOMS.ofRuns, ...ROOMS.others] : ROOMS.ofRuns;
  return rooms.flatMap((room) => room[backend]);
}
