/** Which states of a run are saved with it: as the user chooses them, what they will take, and whether there is room. Pure functions. */
import { fieldsSize, formatMemberList, parseMemberList } from '../../../engine/index.ts';
import type { FieldsSize, RunInfo, RunRecord, Scenario } from '../../../engine/index.ts';
import { LARGEST_ZIP_BYTES, ARCHIVE_BOUNDS } from '../../files/zip.ts';

import type { Host } from '../../host/host.ts';
import { formatBytes } from '../../format/times.ts';
import type { ScratchRoom } from './scratch.ts';

/** As it is typed. */
export interface StatesChoice {
  readonly what: 'mean' | 'members';
  readonly every: string;
  /** 0,4-7; all where it is empty. */
  readonly members: string;
}

export const FIRST_CHOICE: StatesChoice = { what: 'mean', every: '1', members: '' };

type Fields = NonNullable<RunRecord['fields']>;

/** What is wrong with a choice, by what it is of. */
export interface ChoiceProblems {
  readonly every?: string;
  readonly members?: string;
}

/** @returns the number of members of its largest ensemble; 1 where it has none */
export function ensembleOf({ methods }: Pick<RunInfo, 'methods'>): number {
  return Math.max(1, ...methods.map(({ members }) => members));
}

/**
 * @param ensemble members of the largest
 * @param cycles that the run has done
 * @returns which states these are, or what is wrong
 */
export function chosenFields(
  { what, every, members }: StatesChoice,
  ensemble: number,
  cycles: number,
): { readonly fields: Fields } | { readonly problems: ChoiceProblems } {
  const number = Number(every);
  const isStride = /^\d+$/.test(every.trim()) && number >= 1 && number <= cycles;
  const stride = isStride
    ? {}
    : { every: `found ${every.trim() || 'nothing'}, allowed: whole numbers from 1 to ${cycles}` };
  if (what === 'mean') return isStride ? { fields: { every: number } } : { problems: stride };
  const last = ensemble - 1;
  const all = Array.from({ length: ensemble }, (_, member) => member);
  const listed = members.trim() === '' ? all : parseMemberList(members);
  const beyond = listed?.find((member) => member > last);
  if (isStride && listed && beyond === undefined) return { fields: { every: number, members: listed } };
  const allowed = `allowed: members from 0 to ${last} and ranges of them, as ${formatMemberList(all.slice(0, 2))}`;
  const wrong = listed && beyond === undefined ? {} : { members: `found ${beyond ?? members}, ${allowed}` };
  return { problems: { ...stride, ...wrong } };
}

/** What it will take, and what speaks against it. */
export interface Outlook {
  readonly size: FieldsSize;
  /** Whether `fields.bin` is written beside `fields.nc`: a run that is not at its end continues with it. */
  readonly goesOn: boolean;
  /** Bytes of both, about: states pack by a third or not at all. */
  readonly bytes: number;
  /** Why it cannot be. */
  readonly refusal: string | undefined;
  /** What to know before. */
  readonly warning: string | undefined;
}

/** What `fields.nc` has beside the states, about: what is in its diagnostics, and what says of each variable what it is. */
const BESIDE_BYTES = 2 ** 20;

const FEWER = 'keep fewer: of fewer cycles, of fewer members, or of the means alone';

/**
 * @param done cycles that the run has done
 * @param cycles that it has in all
 */
export function outlookOf(
  scenario: Scenario,
  fields: Fields,
  { done, cycles }: { readonly done: number; readonly cycles: number },
  host: Host['kind'],
  room: ScratchRoom,
): Outlook {
  const size = fieldsSize(scenario, fields, undefined, 0, done);
  const goesOn = done < cycles;
  const bytes = BESIDE_BYTES + (goesOn ? 2 : 1) * size.bytes;
  const needed = `The states of ${size.cycles} cycles need about ${formatBytes(bytes)}`;
  const common = { size, goesOn, bytes };
  if (bytes > room.free) {
    const where =
      room.kind === 'storage'
        ? `the browser has ${formatBytes(room.free)} of storage left for this page`
        : `this browser keeps no files for a page, and ${formatBytes(room.free)} of memory are the most`;
    return { ...common, refusal: `${needed}, ${where}; ${FEWER}.`, warning: undefined };
  }
  if (host === 'electron') return { ...common, refusal: undefined, warning: undefined };
  if (bytes > LARGEST_ZIP_BYTES) {
    const refusal = `${needed}, a .zip has room for ${formatBytes(LARGEST_ZIP_BYTES)}; ${FEWER}, or run it by \`shoal run --fields\`.`;
    return { ...common, refusal, warning: undefined };
  }
  const isLarge = bytes > ARCHIVE_BOUNDS.bytes;
  const warning = `A .zip of more than ${formatBytes(ARCHIVE_BOUNDS.bytes)} is opened here by its files, once it is unpacked.`;
  return { ...common, refusal: undefined, warning: isLarge ? warning : undefined };
}

/** @param seconds that computing it again takes, about; undefined if nothing is known */
export function outlookText({ size, goesOn, bytes }: Outlook, seconds: string | undefined): string {
  const cycles = size.cycles === 1 ? 'one cycle' : `${size.cycles} cycles`;
  const files = goesOn ? 'fields.nc and fields.bin, from which the run can continue' : 'fields.nc';
  const time = seconds === undefined ? '' : ` The run is computed again beside this one for it: about ${seconds}.`;
  return `States of ${cycles}, ${formatBytes(size.cycleBytes)} each: about ${formatBytes(bytes)} as ${files}.${time}`;
}
