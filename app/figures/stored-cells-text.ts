/** What a probe says of the cycles that lie in the file of an opened run. */
import { formatMemberList } from '../../engine/index.ts';
import type { StoredCellSeries } from '../document/run/stored-cells.ts';
import type { RecordedSource } from '../document/run/recorded-cycles.ts';

type Progress = Pick<StoredCellSeries, 'wanted' | 'done' | 'unreadable'>;

/** @returns which members there are of cycles in the file, how far it is read, and what cannot be read */
export function storedCellsText(
  { file, members }: Pick<RecordedSource, 'file' | 'members'>,
  progress: Progress,
): string {
  const { wanted, done, unreadable } = progress;
  const sentences = [
    members.length > 0
      ? `Of cycles in ${file} there are the members ${formatMemberList(members)}.`
      : `The run kept no members in ${file}: of its cycles there are truth and means.`,
    done < wanted && `Read so far: ${done} of ${wanted} cycles.`,
    unreadable > 0 && `${unreadable === 1 ? 'One cycle' : `${unreadable} cycles`} cannot be read.`,
  ];
  return sentences.filter(Boolean).join(' ');
}
