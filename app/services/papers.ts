/** The figures of the papers in a worker: each question is answered by the same operators as everything else. */
import { PAPER_QUESTIONS, serveCalls, type Backend, type HostPort, type SurfaceAnswer } from '../../engine/index.ts';

type Questions = typeof PAPER_QUESTIONS;

export type PaperCommands = {
  readonly [Name in keyof Questions]: (
    question: Parameters<Questions[Name]>[1],
  ) => Awaited<ReturnType<Questions[Name]>>;
};

type PaperHandlers = Parameters<typeof serveCalls<PaperCommands, PaperEvent>>[1];

/** What is known of a tuning surface while it is measured. */
export type PaperEvent = SurfaceAnswer;

/** More often than this nothing is reported, milliseconds. */
const PACE = 50;

/** @param open opens the backend when the first question comes */
export function servePapers(port: HostPort<PaperCommands, PaperEvent>, open: () => Promise<Backend>): void {
  let backend: Promise<Backend> | undefined;
  let reported = -Infinity;
  const report = (answer: SurfaceAnswer): void => {
    if (performance.now() - reported < PACE) return;
    reported = performance.now();
    tell(answer);
  };
  const handlers = Object.fromEntries(
    Object.entries(PAPER_QUESTIONS).map(([name, answer]) => [
      name,
      async (question: never) => answer(await (backend ??= open()), question, report),
    ]),
  );
  const tell = serveCalls<PaperCommands, PaperEvent>(port, handlers as unknown as PaperHandlers);
}
