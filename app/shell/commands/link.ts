/** What is on screen as a link: scenario, cycle, views and the lesson’s step in an address. */
import { LONGEST_LINK, writeLink } from '../../features/links/link.ts';

import { viewsNow } from '../../features/links/link-views.ts';
import type { Command } from '../../page/commands.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import type { NoticeAction } from '../../page/notices.ts';
import type { RunView } from '../../document/run-view.ts';
import { lessonOf } from '../../features/lessons/lesson-state.ts';
import { catalogueOf } from '../../document/scenario/bundled-scenarios.ts';
import { stageOf } from '../../stage/stage-state.ts';
import { xrayOf } from '../../features/x-ray/xray-state.ts';

/** @returns the link from its sign # on; undefined where the scenario names files */
function linkNow(laboratory: Laboratory, run: RunView): string | undefined {
  const {
    course: { info, cycle },
    scenario: { appliedScenario },
    edits: { runFile },
  } = run;
  const running = info.value?.scenario ?? appliedScenario.value;
  if (!running) return undefined;
  const lesson = lessonOf(run).linked();
  const { scenario, raw } = lesson?.parsed ?? { scenario: running, raw: runFile.value };
  const content = {
    scenario,
    raw,
    cycle: cycle.value,
    views: viewsNow(laboratory, { view: run.view, stage: stageOf(run), xray: xrayOf(run) }),
    lesson,
  };
  return writeLink(content, catalogueOf(laboratory));
}

/** What the link opens, and what is not in it. */
function contentLines(run: RunView): string[] {
  const { cycle } = run.course;
  const { pendingEffect } = run.scenario;
  const { at } = lessonOf(run);
  const shown = cycle.value < 0 ? 'the state before the first cycle' : `cycle ${cycle.value}`;
  const pending = pendingEffect.value === 'none' ? [] : ['Changes that are not applied yet are not in it.'];
  const step = at.value === undefined ? '' : `, at step ${at.value + 1} of the lesson`;
  return [`It opens ${shown} with these views${step}.`, ...pending];
}

async function copyLink(laboratory: Laboratory, run: RunView): Promise<void> {
  const {
    host,
    commands: { runCommand },
    notices: { notify },
  } = laboratory;
  const saving: readonly NoticeAction[] = [{ title: 'Save scenario…', run: () => void runCommand('file.save') }];
  const content = linkNow(laboratory, run);
  if (content === undefined) {
    const lines = ['The scenario names files, which no link can hold: hand it on as a file, with those beside it.'];
    notify('warning', 'There is no link to this scenario', { lines, actions: saving });
    return;
  }
  const link = (host.linkAddress ?? '') + content;
  if (link.length > LONGEST_LINK) {
    const lines = [`Found ${link.length} characters, allowed: ${LONGEST_LINK}: hand the scenario on as a file.`];
    notify('warning', 'The link would be too long', { lines, actions: saving });
    return;
  }
  const lines = contentLines(run);
  if (host.linkAddress === undefined) {
    lines.push(
      'This window has no public address, so this is only the part from # on. Paste it into another Shoal window, or append it to the address of a Shoal site.',
    );
  }
  try {
    await host.copyText(link);
    const isPart = host.linkAddress === undefined;
    notify('information', 'Copied the link', { lines, ...(isPart && { actions: saving }) });
  } catch {
    // If the clipboard is not available, the link can still be copied by hand.
    notify('warning', 'The clipboard is not available; the link is', { lines: [link, ...lines] });
  }
}

/** Copying a link to what is on screen. */
export function linkCommands(laboratory: Laboratory, run: RunView): readonly Command[] {
  return [
    {
      id: 'file.copy-link',
      group: 'File',
      title: 'Copy link',
      shortcuts: ['Mod+Shift+L'],
      keywords: 'address url share restore',
      enabled: () => run.course.info.value !== undefined,
      run: () => copyLink(laboratory, run),
    },
  ];
}
