/** Every setting and every method as commands, so that the palette finds them by name. */
import { cellsOf, scenarioJsonSchema } from '../../../engine/index.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import type { RunView } from '../../document/run-view.ts';
import type { Command } from '../../page/commands.ts';
import { kindTitle } from '../../document/views/method-style.ts';
import { openTuning, tunableLabel } from '../../features/tuning/tuning-state.ts';
import { addEntry } from '../../form/edits.ts';
import { buildForm } from '../../form/form-model.ts';
import type { FormNode, ListNode } from '../../form/form-nodes.ts';
import { titledLeaves } from '../../form/form-nodes.ts';

import { formatPath } from '../../format/paths.ts';

/** @returns a command for each setting of a form: it goes there */
function settingCommands(laboratory: Laboratory, form: readonly FormNode[]): Command[] {
  const { goToSetting } = laboratory.form;
  return titledLeaves(form).map(({ path, title, help }) => ({
    id: `settings.${path}`,
    group: 'Settings',
    title,
    detail: path,
    keywords: `${path} ${help}`,
    run: () => goToSetting(path),
  }));
}

function methodListOf(form: readonly FormNode[]): ListNode | undefined {
  return form.find((group): group is ListNode => group.kind === 'list' && formatPath(group.path) === 'methods');
}

/** @returns for each method of the draft the way to its settings, and for each kind one that adds a method */
function methodSettingCommands(laboratory: Laboratory, run: RunView, form: readonly FormNode[]): Command[] {
  const { goToSetting } = laboratory.form;
  const list = methodListOf(form);
  if (!list) return [];
  const entries = list.entries.map(({ path, title, variant }): Command => {
    const at = formatPath(path);
    return {
      id: `method.go.${at}`,
      group: 'Methods',
      title: `Settings of ${title}`,
      keywords: `go to method ${variant ?? ''}`,
      run: () => goToSetting(at),
    };
  });
  const additions = list.variants.map(({ value, title }): Command => ({
    id: `method.add.${value}`,
    group: 'Methods',
    title: `Add method ${title}`,
    keywords: `new ${value}`,
    enabled: () => list.entries.length < list.maximum,
    run: () => {
      addEntry(run, list, value);
      goToSetting(`${formatPath(list.path)}[${list.entries.length}]`);
    },
  }));
  const tunings = list.entries.flatMap((entry): Command[] => {
    const label = tunableLabel(run, entry);
    if (label === undefined) return [];
    return [
      {
        id: `method.tune.${formatPath(entry.path)}`,
        group: 'Methods',
        title: `Tune ${entry.title}…`,
        keywords: 'best settings search optimum inflation half-width length scan',
        run: () => openTuning(laboratory, run, label),
      },
    ];
  });
  return [...entries, ...tunings, ...additions];
}

/** @returns for each method of the run one that shows or hides it in views and charts */
function shownMethodCommands(run: RunView): Command[] {
  const {
    course: { styles },
    view: { hiddenMethods, toggleMethod },
  } = run;
  return styles.value.map(({ label, title, kind }) => ({
    id: `method.show.${label}`,
    group: 'Methods',
    title: `Show ${title}`,
    keywords: `hide method view curve ${kindTitle(kind)}`,
    checked: () => !hiddenMethods.value.has(label),
    run: () => toggleMethod(label),
  }));
}

/** All of the scenario that is open; none if there is none. */
export function draftCommands(laboratory: Laboratory, run: RunView): readonly Command[] {
  const { draft, appliedScenario } = run.scenario;
  if (draft.value === undefined) return [];
  const form = buildForm(scenarioJsonSchema(cellsOf(draft.value)), draft.value, appliedScenario.value);
  return [
    ...shownMethodCommands(run),
    ...methodSettingCommands(laboratory, run, form),
    ...settingCommands(laboratory, form),
  ];
}
