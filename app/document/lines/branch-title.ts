/** What a branch is called in the window: what differs, by the titles that the settings have there. */
import { branchTitle, isSetting, schemaAt, type Scenario } from '../../../engine/index.ts';
import type { MethodStyle } from '../views/method-style.ts';
import { parsePath } from '../../format/paths.ts';

/** Names of this many letters, as those of variables, say nothing alone. */
const LEAST_LETTERS = 3;

/** A method of the run, and what it is called. */
type Named = Pick<MethodStyle, 'label' | 'title'>;

function lowerFirst(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}

/** @returns `half-width` for `methods[1].localisation.halfWidth`; `standard deviation of h` for what is of a variable */
export function settingTitle(scenario: Scenario, path: string): string | undefined {
  const keys = parsePath(path);
  const titleAt = (of: readonly (string | number)[]): string | undefined => schemaAt(scenario, of)?.title;
  const own = keys && titleAt(keys);
  if (!own) return undefined;
  if (own.length >= LEAST_LETTERS) return lowerFirst(own);
  const around = titleAt(keys.slice(0, -1));
  return around && `${lowerFirst(around)} of ${own}`;
}

/** @returns `LETKF: half-width 4 → 8` */
export function branchWords(scenario: Scenario, index: number, styles: readonly Named[]): string {
  const title = branchTitle(scenario, index);
  const { name, interventions } = scenario.branches[index];
  if (name !== undefined) return name;
  const settings = interventions.filter(isSetting).reduce((words, { path }) => {
    const inside = path.replace(/^(methods|observations)\[\d+\]\./, '');
    const found = settingTitle(scenario, path);
    return found === undefined ? words : words.replace(inside, found);
  }, title);
  return styles.reduce((words, style) => words.replaceAll(ownerOf(style.label), ownerOf(style.title)), settings);
}

function ownerOf(name: string): string {
  return `${name}: `;
}

/** @returns the words without the method that they are of, for a view of that method */
export function withoutOwner(words: string, { title }: Pick<Named, 'title'>): string {
  return words.replaceAll(ownerOf(title), '');
}
