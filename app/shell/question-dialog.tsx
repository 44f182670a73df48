/** The question that waits for an answer, as a dialog. */
import { useLaboratory } from '../page/context.ts';
import { Dialog } from '../controls/dialog.tsx';

export function QuestionDialog() {
  const { question } = useLaboratory().questions;
  const open = question.value;
  if (!open) return null;
  const { title, text, answers, cancel, answer } = open;
  return (
    <Dialog label={title} class="question" onClose={() => answer(cancel)}>
      <h2>{title}</h2>
      <p>{text}</p>
      <div class="question-answers">
        {answers.map(({ id, title: words, kind }) => (
          <button
            key={id}
            type="button"
            class={`button ${kind}`}
            // The answer that loses nothing is at hand.
            autofocus={id === cancel}
            onClick={() => answer(id)}
          >
            {words}
          </button>
        ))}
      </div>
    </Dialog>
  );
}
