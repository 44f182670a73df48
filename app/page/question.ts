/** A question that must be answered before something continues: shown as a dialog, asked one at a time. */
import { signal } from '@preact/signals';

interface Answer {
  readonly id: string;
  readonly title: string;
  readonly kind: 'primary' | 'danger' | 'plain';
}

export interface Question {
  readonly title: string;
  readonly text: string;
  readonly answers: readonly Answer[];
  /** The answer that Escape gives. */
  readonly cancel: string;
}

export interface OpenQuestion extends Question {
  readonly answer: (id: string) => void;
}

/** The questions of one page. */
export function createQuestions() {
  const question = signal<OpenQuestion | undefined>(undefined);

  /** @returns the id of the answer; a question that is still open is answered with its `cancel` */
  function ask(asked: Question): Promise<string> {
    question.value?.answer(question.value.cancel);
    return new Promise((resolve) => {
      question.value = {
        ...asked,
        answer(id) {
          question.value = undefined;
          resolve(id);
        },
      };
    });
  }

  return { question, ask };
}
