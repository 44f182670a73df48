/**
 * Calls from the page: answered for the top frame of the application's own page alone, and only when what came is of the
 * right form. Nothing else is registered.
 */
import { z } from 'zod';
import { CALLS, type ShoalBridge } from '../preload/bridge.ts';
import { MOST_FILES } from './dialogs.ts';
import { isOwnAddress } from './window.ts';

/** The part of an IPC event that says who calls. */
export interface CallEvent {
  readonly senderFrame: { readonly url: string; readonly parent: unknown } | null;
}

/** The part of Electron's `ipcMain` that is used. */
export interface MainIpc {
  handle(channel: string, listener: (event: CallEvent, ...values: unknown[]) => unknown): void;
}

/** What the calls do: those of the bridge, carried out. */
export interface Calls extends Omit<ShoalBridge, 'setUnsaved' | 'onOpened' | 'onCommand'> {
  setUnsaved(unsaved: boolean): void;
  listening(): void;
}

const LONGEST_NAME = 255;
const LONGEST_TEXT = 2 ** 20;
/** More than is read or written of a file at a time. */
const LARGEST_PART = 2 ** 26;

/** A file's name without a way to another folder. */
const fileName = z
  .string()
  .min(1)
  .max(LONGEST_NAME)
  .regex(/^[^/\\:*?"<>|\p{Cc}]+$/u)
  .refine((name) => name !== '.' && name !== '..');
/** A name, or names in folders below. */
const relativePath = z
  .string()
  .max(4 * LONGEST_NAME)
  .refine((path) => path.split('/').every((part) => fileName.safeParse(part).success));
const identity = z.string().regex(/^[\da-f]{16,64}$/);
const bytes = z.instanceof(Uint8Array);

const PAYLOADS = {
  nothing: z.tuple([]),
  identity: z.tuple([identity]),
  sibling: z.tuple([z.strictObject({ id: identity, name: relativePath })]),
  save: z.tuple([z.strictObject({ name: fileName, type: z.string().max(LONGEST_NAME), bytes })]),
  saveFolder: z.tuple([
    z.strictObject({
      name: fileName,
      files: z.record(relativePath, bytes).refine((files) => Object.keys(files).length <= MOST_FILES),
    }),
  ]),
  name: z.tuple([fileName]),
  newPart: z.tuple([
    z.strictObject({
      id: identity,
      path: relativePath,
      from: z.int().nonnegative(),
      bytes: bytes.refine(({ byteLength }) => byteLength <= LARGEST_PART),
    }),
  ]),
  part: z.tuple([
    z.strictObject({
      id: identity,
      path: relativePath,
      from: z.int().nonnegative(),
      bytes: z.int().nonnegative().max(LARGEST_PART),
    }),
  ]),
  flag: z.tuple([z.boolean()]),
  text: z.tuple([z.string().max(LONGEST_TEXT)]),
} as const;

/** Whether a call comes from the top frame of the application's own page. */
export function isTrusted({ senderFrame }: CallEvent, development?: string): boolean {
  return senderFrame !== null && senderFrame.parent === null && isOwnAddress(senderFrame.url, development);
}

/** @param development origin of the development server, which may then call too */
export function registerCalls(ipc: MainIpc, calls: Calls, development?: string): void {
  const answer = <Values extends unknown[]>(
    channel: string,
    payload: z.ZodType<Values>,
    execute: (...values: Values) => unknown,
  ): void => {
    ipc.handle(channel, (event, ...values) => {
      if (!isTrusted(event, development)) throw new Error(`${channel} is refused: it does not come from the page`);
      const parsed = payload.safeParse(values);
      if (!parsed.success) throw new Error(`${channel} is refused: ${z.prettifyError(parsed.error)}`);
      return execute(...parsed.data);
    });
  };
  answer(CALLS.openScenario, PAYLOADS.nothing, () => calls.openScenario());
  answer(CALLS.openRecent, PAYLOADS.identity, (id) => calls.openRecent(id));
  answer(CALLS.recent, PAYLOADS.nothing, () => calls.recent());
  answer(CALLS.sibling, PAYLOADS.sibling, ({ id, name }) => calls.sibling(id, name));
  answer(CALLS.save, PAYLOADS.save, ({ name, type, bytes }) => calls.save(name, type, bytes));
  answer(CALLS.saveFolder, PAYLOADS.saveFolder, ({ name, files }) => calls.saveFolder(name, files));
  answer(CALLS.nameFolder, PAYLOADS.name, (name) => calls.nameFolder(name));
  answer(CALLS.writePart, PAYLOADS.newPart, (part) => calls.writePart(part));
  answer(CALLS.finishFolder, PAYLOADS.identity, (id) => calls.finishFolder(id));
  answer(CALLS.abandonFolder, PAYLOADS.identity, (id) => calls.abandonFolder(id));
  answer(CALLS.openFolder, PAYLOADS.nothing, () => calls.openFolder());
  answer(CALLS.readPart, PAYLOADS.part, (part) => calls.readPart(part));
  answer(CALLS.setUnsaved, PAYLOADS.flag, (unsaved) => calls.setUnsaved(unsaved));
  answer(CALLS.copyText, PAYLOADS.text, (text) => calls.copyText(text));
  answer(CALLS.graphics, PAYLOADS.flag, (isHardware) => calls.graphics(isHardware));
  answer(CALLS.listening, PAYLOADS.nothing, () => calls.listening());
}
