/** The fields of a question: what is asked, the choices with the right one marked, and why it is right. */
import { useId } from 'preact/hooks';
import { LONGEST_CHOICE, LONGEST_TEXT, MOST_CHOICES } from '../../../../engine/index.ts';
import type { WrittenLessonStep } from '../../../../engine/index.ts';
import { Icon } from '../../../controls/icons.tsx';

export type WrittenQuestion = NonNullable<WrittenLessonStep['question']>;

export const EMPTY_QUESTION: WrittenQuestion = { text: '', choices: ['', ''], answer: 0, why: '' };

const LEAST_CHOICES = 2;

interface QuestionFieldsProps {
  readonly question: WrittenQuestion;
  readonly onChange: (question: WrittenQuestion) => void;
}

export function QuestionFields({ question, onChange }: QuestionFieldsProps) {
  const { text, choices, answer, why } = question;
  const id = useId();
  const removeChoice = (index: number): void =>
    onChange({
      ...question,
      choices: choices.toSpliced(index, 1),
      answer: answer > index ? answer - 1 : Math.min(answer, choices.length - 2),
    });
  return (
    <fieldset class="lesson-form-question">
      <legend class="visually-hidden">Question</legend>
      <label for={`${id}-text`}>Question</label>
      <input
        id={`${id}-text`}
        class="input"
        required
        maxLength={LONGEST_TEXT}
        value={text}
        onInput={({ currentTarget }) => onChange({ ...question, text: currentTarget.value })}
      />
      <p id={`${id}-choices`}>Choices, the right one marked</p>
      <ul aria-labelledby={`${id}-choices`}>
        {choices.map((choice, index) => (
          // Choices have no name of their own but their place.
          <li key={index}>
            <input
              type="radio"
              name={`${id}-answer`}
              aria-label={`Choice ${index + 1} is right`}
              checked={answer === index}
              onChange={() => onChange({ ...question, answer: index })}
            />
            <input
              class="input"
              required
              aria-label={`Choice ${index + 1}`}
              maxLength={LONGEST_CHOICE}
              value={choice}
              onInput={({ currentTarget }) =>
                onChange({ ...question, choices: choices.with(index, currentTarget.value) })
              }
            />
            <button
              type="button"
              class="icon-button"
              aria-label={`Remove choice ${index + 1}`}
              disabled={choices.length <= LEAST_CHOICES}
              onClick={() => removeChoice(index)}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      {choices.length < MOST_CHOICES && (
        <div>
          <button type="button" class="button" onClick={() => onChange({ ...question, choices: [...choices, ''] })}>
            One more choice
          </button>
        </div>
      )}
      <label for={`${id}-why`}>Why it is right</label>
      <textarea
        id={`${id}-why`}
        class="input"
        required
        rows={2}
        maxLength={LONGEST_TEXT}
        value={why}
        onInput={({ currentTarget }) => onChange({ ...question, why: currentTarget.value })}
      />
    </fieldset>
  );
}
