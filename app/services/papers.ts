/** The live figures of the papers in a worker: each question is answered by the same operators as everything else. */
import { PAPER_QUESTIONS, serveCalls, type Backend, type HostPort } from '../../engine/index.ts';

type Questions = typeof PAPER_QUESTIONS;

export type PaperCommands = {
  readonly [Name in keyof Questions]: (
    question: Parameters<Questions[Name]>[1],
  ) => Awaited<ReturnType<Questions[Name]>>;
};

/** @param open opens the backend when the first question comes */
export function servePapers(port: HostPort<PaperCommands>, open: () => Promise<Backend>): void {
  let backend: Promise<Backend> | undefined;
  const handlers = Object.fromEntries(
    Object.entries(PAPER_QUESTIONS).map(([name, answer]) => [
      name,
      async (question: never) => answer(await (backend ??= open()), question),
    ]),
  );
  serveCalls<PaperCommands>(port, handlers as unknown as Parameters<typeof serveCalls<PaperCommands>>[1]);
}
