/** The errors beneath the views: there on the stage until they are sent away, elsewhere a field as any other. */
import { signal } from '@preact/signals';
import { expect, it } from 'vitest';
import type { RunView } from '../../../../app/document/run-view.ts';
import { errorRowOf } from '../../../../app/features/presenting/chrome.ts';
import type { FieldId } from '../../../../app/fields/fields.ts';

function runOf(lessonAt?: number) {
  const [fields, presentation] = [signal<readonly FieldId[]>(['surface']), signal(false)];
  const run = {
    laboratory: { preferences: { presentation } },
    view: {
      fields,
      toggleRow: (id: FieldId) => {
        fields.value = fields.value.includes(id) ? fields.value.filter((each) => each !== id) : [...fields.value, id];
      },
    },
    // The row is made of the run, and asks for its lesson.
    use: (create: (of: unknown) => unknown) =>
      create.name === 'createErrorRow' ? create(run) : { at: signal(lessonAt) },
  };
  return { fields, presentation, row: errorRowOf(run as unknown as RunView) };
}

it('is there on the stage, goes and comes with its key, and leaves the chosen fields alone', () => {
  const { fields, presentation, row } = runOf();
  expect(row.fields.value).toEqual(['surface']);
  presentation.value = true;
  expect(row.fields.value).toEqual(['surface', 'error']);
  row.toggle();
  expect(row.isShown.value).toBe(false);
  row.toggle();
  expect(row.isShown.value).toBe(true);
  expect(fields.value).toEqual(['surface']);
});

it('is a chosen row away from the stage, and is sent away from it as one', () => {
  const { fields, presentation, row } = runOf();
  row.toggle();
  expect(fields.value).toEqual(['surface', 'error']);
  presentation.value = true;
  expect(row.fields.value).toEqual(['surface', 'error']);
});

it('is left to the steps of a lesson', () => {
  const { presentation, row } = runOf(0);
  presentation.value = true;
  expect(row.isShown.value).toBe(false);
});
