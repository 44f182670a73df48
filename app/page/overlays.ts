/** Overlays of the frame, one at a time: closing one gives the focus back to where it was; and questions, asked one at a time. */
import { signal } from '@preact/signals';

interface Answer {
  readonly id: string;
  readonly title: string;
  readonly kind: 'primary' | 'danger' | 'plain';
}

/** A question that must be answered before something continues: shown as a dialog, asked one at a time. */
interface Question {
  readonly title: string;
  readonly text: string;
  readonly answers: readonly Answer[];
  /** The answer that Escape gives. */
  readonly cancel: string;
}

interface OpenQuestion extends Question {
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

export type Overlay =
  | 'none'
  | 'palette'
  | 'shortcuts'
  | 'gallery'
  | 'benchmarks'
  | 'papers'
  | 'check'
  | 'sweeps'
  | 'tuning'
  | 'seeds'
  | 'runs'
  | 'states'
  | 'film'
  | 'lesson'
  | 'course'
  | 'glossary';

/** The overlays of one page. */
export function createOverlays() {
  const overlay = signal<Overlay>('none');

  function openOverlay(which: Overlay): void {
    overlay.value = which;
  }

  function closeOverlay(): void {
    overlay.value = 'none';
  }

  return { overlay, openOverlay, closeOverlay };
}
