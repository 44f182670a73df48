/**
 * The readers of planes, one for each device: numbers in memory are there, those on the GPU are read back as far as they are asked
 * for. Stage and charts ask for the same planes of a cycle: whole planes are read once, and the latest are kept. Of each asker at most
 * one question is on its way and one waits, the newest; a question that went wrong, or whose planes are gone, has no answer.
 */
import { createDevicePlaneReader } from '../../../engine/index.ts';
import type { DevicePlane, DevicePlaneReader, DevicePlaneRequest, Plane } from '../../../engine/index.ts';
import { numbersInMemory, hostReader } from './plane-reader.ts';
import type {
  PlaneNumbers,
  PlaneRequest,
  Answer,
  Enquiry,
  EnquiryOptions,
  Numbers,
  PlaneReader,
} from './plane-reader.ts';

/**
 * Reads what is asked for, in the order of the requests.
 *
 * @throws whatever kept it from reading: the signal, planes that are gone, a lost device
 */
type PlaneFetch = (requests: readonly PlaneRequest[], signal: AbortSignal) => Promise<readonly PlaneNumbers[]>;

interface Question<Subject> {
  /** Another subject may need the very same numbers: then it takes the place of this one. */
  subject: Subject;
  readonly requests: readonly PlaneRequest[];
}

function sameCells(a: PlaneRequest['cells'], b: PlaneRequest['cells']): boolean {
  return a === b || (a?.length === b?.length && a?.every((cell, i) => cell === b?.[i]) === true);
}

function sameMeans(a: PlaneRequest['means'], b: PlaneRequest['means']): boolean {
  if (!a || !b) return a === b;
  const { nx, ny, x, y } = a.blocks;
  return a.minus === b.minus && nx === b.blocks.nx && ny === b.blocks.ny && x === b.blocks.x && y === b.blocks.y;
}

function sameRequest(a: PlaneRequest, b: PlaneRequest): boolean {
  return a.plane === b.plane && sameCells(a.cells, b.cells) && sameMeans(a.means, b.means);
}

function sameRequests(a: readonly PlaneRequest[], b: readonly PlaneRequest[]): boolean {
  return a.length === b.length && a.every((request, i) => sameRequest(request, b[i]));
}

function numbersOf(requests: readonly PlaneRequest[], found: readonly PlaneNumbers[]): Numbers {
  const byPlane = new Map<Plane, PlaneNumbers>(requests.map(({ plane }, i) => [plane, found[i]]));
  return (plane) => plane && byPlane.get(plane);
}

function openEnquiry<Subject>(
  fetch: PlaneFetch,
  { onAnswer, interval = 0 }: EnquiryOptions<Subject>,
): Enquiry<Subject> {
  const end = new AbortController();
  let answered: { readonly requests: readonly PlaneRequest[]; readonly answer: Answer<Subject> } | undefined;
  let underWay: Question<Subject> | undefined;
  let waiting: Question<Subject> | undefined;
  /** What was asked last is answered already: what is still on its way is of no interest. */
  let content = false;
  let sentAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function execute(question: Question<Subject>): Promise<void> {
    let found: readonly PlaneNumbers[] | undefined;
    try {
      found = await fetch(question.requests, end.signal);
    } catch {
      // Its planes or their device are gone. Whoever asked is notified by the run, and asks for others.
    }
    underWay = undefined;
    if (end.signal.aborted) return;
    if (found && !content) {
      const { subject, requests } = question;
      answered = { requests, answer: { subject, numbers: numbersOf(requests, found) } };
      onAnswer(answered.answer);
    }
    schedule();
  }
  function send(): void {
    timer = undefined;
    const question = waiting;
    if (!question || underWay || end.signal.aborted) return;
    waiting = undefined;
    underWay = question;
    sentAt = performance.now();
    void execute(question);
  }
  function schedule(): void {
    if (!waiting || underWay || timer !== undefined || end.signal.aborted) return;
    const pause = sentAt + interval - performance.now();
    if (pause > 0) timer = setTimeout(send, pause);
    else send();
  }

  return {
    ask(subject, requests) {
      if (end.signal.aborted) return undefined;
      content = answered !== undefined && sameRequests(answered.requests, requests);
      if (answered && content) {
        waiting = undefined;
        answered = { requests, answer: { ...answered.answer, subject } };
      } else if (underWay && sameRequests(underWay.requests, requests)) {
        waiting = undefined;
        underWay.subject = subject;
      } else {
        waiting = { subject, requests };
        schedule();
      }
      return answered?.answer;
    },
    close() {
      end.abort();
      waiting = undefined;
      answered = undefined;
      if (timer !== undefined) clearTimeout(timer);
    },
  };
}

/** @returns a reader whose answers are fetched */
export function createReader(fetch: PlaneFetch): PlaneReader {
  return { open: (options) => openEnquiry(fetch, options) };
}

/** Numbers of whole planes that are kept at most, bytes. The latest stay even above it. */
const KEPT_BYTES = 32 * 2 ** 20;
const ELEMENT_BYTES = 4;

/** Reading a whole plane continues when the first asker is gone: others may wait for it too. */
const FOR_ALL = new AbortController().signal;

/** Whether all numbers of a plane are asked for. */
function isWhole({ cells, means }: Pick<PlaneRequest, 'cells' | 'means'>): boolean {
  return cells === undefined && means === undefined;
}

/** @returns what is asked of a plane on the GPU. @throws RangeError for the difference from a plane elsewhere */
function onDevice({ plane, cells, means }: PlaneRequest): DevicePlaneRequest | undefined {
  if (plane.kind !== 'device') return undefined;
  if (!means?.minus) return { plane, cells, means: means && { blocks: means.blocks } };
  const { blocks, minus } = means;
  if (minus.kind !== 'device') throw new RangeError('a plane in memory is subtracted from one on a GPU');
  return { plane, means: { blocks, minus } };
}

/** @param read reads planes back */
export function createDeviceFetch(
  device: GPUDevice,
  read: DevicePlaneReader = createDevicePlaneReader(device),
): PlaneFetch {
  /** The latest last. */
  const wholes = new Map<DevicePlane, Promise<PlaneNumbers>>();
  const readWhole = (plane: DevicePlane): Promise<PlaneNumbers> => {
    const reading = wholes.get(plane) ?? read([{ plane }], FOR_ALL).then(([numbers]) => numbers);
    wholes.delete(plane);
    wholes.set(plane, reading);
    // The asker receives the error.
    reading.catch(() => wholes.delete(plane));
    return reading;
  };
  const forget = (kept: ReadonlySet<DevicePlane>): void => {
    let bytes = [...wholes.keys()].reduce((sum, { cells }) => sum + cells * ELEMENT_BYTES, 0);
    for (const plane of wholes.keys()) {
      if (bytes <= KEPT_BYTES) return;
      if (kept.has(plane)) continue;
      wholes.delete(plane);
      bytes -= plane.cells * ELEMENT_BYTES;
    }
  };
  return async (requests, signal) => {
    const asked = requests.flatMap((request) => onDevice(request) ?? []);
    const whole = asked.filter(isWhole).map(({ plane }) => plane);
    const inWhole = whole.map(readWhole);
    forget(new Set(whole));
    const inPart = read(
      asked.filter((request) => !isWhole(request)),
      signal,
    );
    const [ofWhole, ofPart] = await Promise.all([Promise.all(inWhole), inPart]);
    signal.throwIfAborted();
    const [nextWhole, nextPart] = [ofWhole.values(), ofPart.values()];
    return requests.map((request) => {
      if (request.plane.kind === 'host') return numbersInMemory(request) ?? [];
      return (isWhole(request) ? nextWhole : nextPart).next().value ?? [];
    });
  };
}

/** One for each device: its staging buffers go with it. */
const readerOn = new WeakMap<GPUDevice, PlaneReader>();

/** @returns the reader of planes on that device; without one, of planes in memory */
export function readerFor(device: GPUDevice | undefined): PlaneReader {
  if (!device) return hostReader;
  let reader = readerOn.get(device);
  if (!reader) {
    reader = createReader(createDeviceFetch(device));
    readerOn.set(device, reader);
  }
  return reader;
}
