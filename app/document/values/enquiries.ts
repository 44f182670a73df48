/**
 * The order of questions whose answers take time: of each asker at most one is on its way and one waits, the newest. Answers
 * arrive in the order of the questions; a question that went wrong, or whose planes are gone, has none.
 */
import type { Plane } from '../../../engine/index.ts';
import type {
  Answer,
  Enquiry,
  EnquiryOptions,
  Numbers,
  PlaneNumbers,
  PlaneReader,
  PlaneRequest,
} from './plane-reader.ts';

/**
 * Reads what is asked for, in the order of the requests.
 *
 * @throws whatever kept it from reading: the signal, planes that are gone, a lost device
 */
export type PlaneFetch = (requests: readonly PlaneRequest[], signal: AbortSignal) => Promise<readonly PlaneNumbers[]>;

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
