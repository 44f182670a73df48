/** What a live figure shows: the answer to the latest question. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useRun } from '../../../document/context.ts';
import { useLaboratory } from '../../../page/laboratory.ts';
import type { PaperCommands } from '../../../services/papers.ts';
import { papersOf } from '../papers-state.ts';

export interface LiveAnswer<Question, Answer> {
  /** The latest answer; undefined before the first. */
  readonly answer: Answer | undefined;
  /** What it answers. */
  readonly question: Question | undefined;
  /** Why there is none. */
  readonly failure: string | undefined;
}

/**
 * Asks the backend of the run. While it computes, only the latest of the questions that follow is kept, so that a slider never waits.
 *
 * @param question must be the same object as long as it asks the same
 */
export function useAnswer<Name extends keyof PaperCommands>(
  name: Name,
  question: Parameters<PaperCommands[Name]>[0],
): LiveAnswer<Parameters<PaperCommands[Name]>[0], ReturnType<PaperCommands[Name]>> {
  type Question = Parameters<PaperCommands[Name]>[0];
  type Answer = ReturnType<PaperCommands[Name]>;
  const { ask } = papersOf(useLaboratory());
  const backend = useRun().course.info.value?.backend.name;
  const [state, setState] = useState<LiveAnswer<Question, Answer>>({
    answer: undefined,
    question: undefined,
    failure: undefined,
  });
  const flow = useRef({ busy: false, waiting: undefined as Question | undefined, gone: false });
  useEffect(() => {
    flow.current.gone = false;
    return () => {
      flow.current.gone = true;
    };
  }, []);
  useEffect(() => {
    if (!backend) return;
    const next = async (asked: Question): Promise<void> => {
      flow.current.busy = true;
      try {
        const answer = await ask(backend, name, asked);
        if (!flow.current.gone) setState({ answer, question: asked, failure: undefined });
      } catch (error) {
        const failure = error instanceof Error ? error.message : String(error);
        if (!flow.current.gone) setState((known) => ({ ...known, failure }));
      }
      flow.current.busy = false;
      const { waiting, gone } = flow.current;
      flow.current.waiting = undefined;
      if (waiting !== undefined && !gone) await next(waiting);
    };
    if (flow.current.busy) flow.current.waiting = question;
    else void next(question);
  }, [ask, backend, name, question]);
  return state;
}
