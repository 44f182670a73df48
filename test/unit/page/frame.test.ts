import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { multiples, niceStep, thinned, timelineScale, storedText } from '../../../app/document/run/run-times.ts';
import { formatBytes, formatDuration, formatModelTime, unbroken } from '../../../app/format/numbers.ts';
import { divideWidth } from '../../../app/page/frame-sizes.ts';
import { PANEL_LIMITS, createPreferences, rememberPreferences } from '../../../app/page/preferences.ts';
import { laboratoryOf } from './laboratory.ts';

const USUAL = { settings: 300, evidence: 380 };

describe('the frame', () => {
  it('gives panels what they want while the stage has room', () => {
    expect(divideWidth(1440, 1, USUAL, 'evidence')).toStrictEqual(USUAL);
  });

  it('shrinks the panel that was not opened last, then makes it a rail', () => {
    expect(divideWidth(1150, 1, USUAL, 'evidence')).toStrictEqual({ settings: 250, evidence: 380 });
    expect(divideWidth(1024, 1, USUAL, 'evidence')).toStrictEqual({ settings: undefined, evidence: 380 });
    expect(divideWidth(1024, 1, USUAL, 'settings')).toStrictEqual({ settings: 300, evidence: undefined });
  });

  it('leaves the stage its room in presentation mode', () => {
    const { settings, evidence } = divideWidth(1440, 1.5, USUAL, 'evidence');
    expect(settings).toBeUndefined();
    expect(evidence).toBe(570);
  });
});

describe('preferences', () => {
  let written: Record<string, string> = {};
  const host = {
    readSetting: (key: string): string | undefined => written[key],
    writeSetting: (key: string, value: string): void => {
      written[key] = value;
    },
  };
  let preferences = createPreferences();
  let end: (() => void) | undefined;

  beforeEach(() => {
    written = {};
    preferences = createPreferences();
  });
  afterEach(() => end?.());

  it('come back at the next launch', () => {
    end = rememberPreferences(preferences, host);
    preferences.theme.value = 'light';
    preferences.resizePanel('settings', 333);
    preferences.togglePanel('evidence');
    end?.();
    const { theme, settingsPanel, evidencePanel } = createPreferences();
    expect([theme.value, settingsPanel.value.width, evidencePanel.value.open]).toStrictEqual(['dark', 300, true]);
    const next = createPreferences();
    end = rememberPreferences(next, host);
    expect([next.theme.value, next.settingsPanel.value.width, next.evidencePanel.value.open]).toStrictEqual([
      'light',
      333,
      false,
    ]);
  });

  it.each(['{', 'null', '{"theme": 7, "settings": {"width": "wide"}, "evidence": null}'])(
    'are the usual ones where %s was stored',
    (text) => {
      written['interface'] = text;
      end = rememberPreferences(preferences, host);
      expect([preferences.theme.value, preferences.settingsPanel.value.width]).toStrictEqual(['dark', 300]);
    },
  );

  it('hold widths within their limits', () => {
    const { evidencePanel, resizePanel } = preferences;
    resizePanel('evidence', 10_000);
    expect(evidencePanel.value.width).toBe(PANEL_LIMITS.evidence.most);
    resizePanel('evidence', -1);
    expect(evidencePanel.value.width).toBe(PANEL_LIMITS.evidence.least);
  });

  it('follow the system where they are asked to', () => {
    const { resolvedTheme, systemIsDark, theme } = preferences;
    theme.value = 'system';
    systemIsDark.value = false;
    expect(resolvedTheme.value).toBe('light');
    systemIsDark.value = true;
    expect(resolvedTheme.value).toBe('dark');
  });
});

describe('the timeline', () => {
  it('has a place for every cycle and a cycle for every place', () => {
    const scale = timelineScale(30);
    expect([scale.place(-1), scale.place(29)]).toStrictEqual([0, 1]);
    for (let each = -1; each < 30; each += 1) expect(scale.cycleAt(scale.place(each))).toBe(each);
    expect([scale.cycleAt(-3), scale.cycleAt(7)]).toStrictEqual([-1, 29]);
  });

  it('numbers cycles in steps that leave room', () => {
    expect(niceStep(30, 900, 56)).toBe(2);
    expect(niceStep(1_000_000, 900, 56)).toBe(100_000);
    expect(niceStep(30, 0, 56)).toBe(30);
    expect(multiples(10, 29)).toStrictEqual([0, 10, 20]);
  });

  it('thins ticks that would touch', () => {
    const scale = timelineScale(1000);
    const all = Array.from({ length: 1000 }, (_, index) => index);
    const shown = thinned(all, scale, 300, 3);
    expect(shown.length).toBeLessThanOrEqual(101);
    expect(shown.length).toBeGreaterThan(60);
  });
});

describe('words and numbers', () => {
  it('give times and sizes with units', () => {
    expect(formatModelTime(20)).toStrictEqual({ text: '20.0', unit: 's' });
    expect(formatModelTime(3600)).toStrictEqual({ text: '1.00', unit: 'h' });
    expect(formatModelTime(36_000)).toStrictEqual({ text: '10.00', unit: 'h' });
    expect(formatDuration(3.2)).toBe('4 s');
    expect(formatDuration(130)).toBe('2 min 10 s');
    expect(formatDuration(3900)).toBe('1 h 5 min');
    expect(formatBytes(0)).toBe('0 B');
    expect(formatBytes(1_572_864)).toBe('1.5 MiB');
  });
});

describe('long work', () => {
  it('estimates what is left from its share', () => {
    let now = 0;
    const { beginWork, longWork } = laboratoryOf().progress;
    const work = beginWork('Recording', undefined, () => now);
    expect(longWork.value[0]).toMatchObject({ share: undefined, secondsLeft: undefined });
    now = 2000;
    work.update(0.5);
    expect(longWork.value[0]).toMatchObject({ share: 0.5, secondsLeft: 2 });
    work.end();
    expect(longWork.value).toStrictEqual([]);
  });
});

describe('notices and questions', () => {
  it('count what is said again, and leave when they are dismissed', () => {
    const { dismiss, notices, notify } = laboratoryOf().notices;
    const id = notify('warning', 'Twice');
    expect(notify('warning', 'Twice')).toBe(id);
    expect(notices.value).toHaveLength(1);
    expect(notices.value[0].count).toBe(2);
    for (let each = 0; each < 20; each += 1) notify('error', `Problem ${each}`);
    expect(notices.value.length).toBeLessThanOrEqual(6);
    dismiss(notices.value[0].id);
    expect(notices.value.length).toBeLessThanOrEqual(5);
  });

  it('answers an open question with its cancel when another is asked', async () => {
    const { ask, question } = laboratoryOf().questions;
    const answers = [{ id: 'yes', title: 'Yes', kind: 'primary' }] as const;
    const first = ask({ title: 'First', text: '', answers, cancel: 'no' });
    const second = ask({ title: 'Second', text: '', answers, cancel: 'no' });
    question.value?.answer('yes');
    await expect(first).resolves.toBe('no');
    await expect(second).resolves.toBe('yes');
    expect(question.value).toBeUndefined();
  });
});

describe('what is stored', () => {
  it.each([
    [[-1], '0 cycles'],
    [[-1, 0], '1 cycle'],
    [[-1, 0, 1, 2], '3 cycles'],
    [[-1, 1, 2], '2 of 3 cycles'],
    [[40, 41], '2 of 42 cycles'],
  ])('of %j is %s', (cycles, text) => {
    expect(storedText(cycles)).toBe(text);
  });
});

it('no line ends between a number and its unit', () => {
  const blank = '\u00a0';
  expect(unbroken('half-width 32.8 m, 65.2 %, 2 seeds')).toBe(`half-width 32.8${blank}m, 65.2${blank}%, 2 seeds`);
  expect(unbroken('waves of 1 to 1.65 km')).toBe(`waves of 1 to 1.65${blank}km`);
  expect(unbroken('3 methods in 4 s')).toBe(`3 methods in 4${blank}s`);
});
