/**
 * A link: a scenario with what was changed of it while it ran, a cycle, the views, and the step of the lesson. As a text it is a line
 * of JSON and, unless the scenario ships and is named there, the text of its file beneath. What is read may come from anybody: the
 * scenario is read as a file is, the line by a schema of its own, and both are held to each other.
 */
import { z } from 'zod';
import {
  MOST_STEPS_OF_A_LESSON,
  cyclesOf,
  fileReferences,
  formatScenario,
  isRecord,
  parseJsonText,
  problemsOf,
  scenarioAtStep,
  scenarioError,
  validateScenario,
  viewProblems,
  viewsSchema,
  within,
  ScenarioError,
} from '../../../engine/index.ts';
import type { JsonSchema, Problem, Scenario, Views, WrittenViews } from '../../../engine/index.ts';
import { BUNDLED_SCENARIOS, type Catalogue } from '../../document/scenario/bundled-scenarios.ts';
import { Inflate, deflateSync } from 'fflate';
import { LINK_BEGINNING } from '../../host/incoming.ts';
import { batch } from '@preact/signals';
import { branchOf } from '../../document/lines/shown.ts';
import { EASE_MILLISECONDS, presetCamera } from '../../document/views/cameras.ts';
import type { CameraKind, CameraPlacement, CameraState } from '../../document/views/cameras.ts';
import type { StageState } from '../../stage/stage-state.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import type { ViewState } from '../../document/views/view-state.ts';
import type { Impact } from '../impact/impact-state.ts';
import type { Xray } from '../x-ray/xray-state.ts';

/** What a link is called where something is wrong with it. */
const THE_LINK = 'the link';
/** Characters of a whole address with a link: longer ones are cut by what they are sent with. */
export const LONGEST_LINK = 2 ** 15;
/** Bytes that a link may grow to: what fits into the longest one packs twenty times at the utmost. */
const MOST_BYTES = 2 ** 20;
/** Packed bytes that are unpacked at once: at the format's highest ratio, 1032, they become 64 KiB. */
const PIECE_BYTES = 64;
/** Version of the content of a link. */
const VERSION = '1';

const PARTS = new RegExp(`^${LINK_BEGINNING}(\\d{1,9})\\.([\\w-]+)$`);
const NOT_WHOLE = 'it is damaged or not whole; copy all of it again';

/** @returns an error that says of a link what is wrong with it */
function linkError(message: string): ScenarioError {
  return new ScenarioError([{ file: THE_LINK, path: [], message }]);
}

/**
 * A link is the part of an address after the sign #, which a browser sends to no server: a version, and a text, deflated [rfc1951]
 * and spelt in base64url [rfc4648]. It may come from anybody: it is bounded as it is written, and as it grows when it is read.
 *
 * @returns the text as a link, from its sign # on, however long it is
 */
export function packLink(text: string): string {
  const packed = deflateSync(new TextEncoder().encode(text), { level: 9 });
  const spelt = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''));
  const inAddresses = spelt.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  return `${LINK_BEGINNING}${VERSION}.${inAddresses}`;
}

/** @throws ScenarioError where they are more than may be, or no whole deflated text */
function inflated(packed: Uint8Array): Uint8Array {
  const whole = new Uint8Array(MOST_BYTES);
  let length = 0;
  const inflate = new Inflate((piece) => {
    if (length + piece.length > MOST_BYTES) {
      throw linkError(`found more than ${MOST_BYTES} bytes packed in it, allowed: ${MOST_BYTES} (1 MiB)`);
    }
    whole.set(piece, length);
    length += piece.length;
  });
  try {
    for (let offset = 0; offset < packed.length; offset += PIECE_BYTES) {
      inflate.push(packed.subarray(offset, offset + PIECE_BYTES), offset + PIECE_BYTES >= packed.length);
    }
  } catch (error) {
    throw error instanceof ScenarioError ? error : linkError(NOT_WHOLE);
  }
  return whole.subarray(0, length);
}

/**
 * @param link from its sign # on
 * @returns the text that was packed
 * @throws ScenarioError where it is too long, of another version, damaged or cut, or grows beyond its bound
 */
export function unpackLink(link: string): string {
  if (link.length > LONGEST_LINK) {
    throw linkError(`found ${link.length} characters, allowed: ${LONGEST_LINK}; ask for the scenario as a file`);
  }
  const [, version, content] = PARTS.exec(link) ?? [];
  if (version === undefined || content === undefined) throw linkError(NOT_WHOLE);
  if (version !== VERSION) {
    throw linkError(`found version ${version}, allowed: ${VERSION}; a newer laboratory may know it`);
  }
  try {
    const bytes = atob(content.replaceAll('-', '+').replaceAll('_', '/'));
    const packed = Uint8Array.from(bytes, (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(inflated(packed));
  } catch (error) {
    throw error instanceof ScenarioError ? error : linkError(NOT_WHOLE);
  }
}

/** What is called the scenario of a link where something is wrong with it. */
export const LINKED_SCENARIO = 'the scenario of the link';

/** Characters of the line before the scenario: all views that a user could arrange take fewer. */
const LONGEST_HEAD = 2 ** 15;
const LEAST = 'a link begins with a JSON object, at least {"cycle": 0}';
const headSchema = z.strictObject({
  /** One of the shipped scenarios; if omitted, the link contains the scenario. */
  ships: z.enum(BUNDLED_SCENARIOS.map(({ name }) => name)).optional(),
  /** On screen; −1 is the state before the first. */
  cycle: z.int().min(-1),
  views: viewsSchema,
  /** The step of the scenario's lesson that is on screen. */
  lesson: z
    .strictObject({
      /** From 1. */
      step: z.int().min(1).max(MOST_STEPS_OF_A_LESSON),
      /** Whether somebody has changed what the step shows: its settings are then those of the scenario of the link. */
      tried: z.boolean().default(false),
    })
    .optional(),
});

/** The position in a lesson. */
export interface LinkedStep {
  /** From 1. */
  readonly step: number;
  /** Whether the scenario has the settings that are on screen, and not those that the lesson begins with. */
  readonly tried: boolean;
}

/** What a link leads to, as far as it can be judged without its scenario. */
export interface ReadLink {
  /** The name of one that ships, or the text of a scenario file, not read yet. */
  readonly scenario: { readonly ships: string } | { readonly text: string };
  readonly cycle: number;
  readonly views: Views;
  readonly lesson: LinkedStep | undefined;
  /** @throws ScenarioError where cycle, views or the lesson's step do not fit the scenario */
  check(scenario: Scenario): void;
}

/** What is on screen, to be linked to. */
export interface LinkContent {
  readonly scenario: Scenario;
  /** As its file has it. */
  readonly raw: unknown;
  readonly cycle: number;
  readonly views: WrittenViews;
  readonly lesson?: LinkedStep | undefined;
}

/** @returns the name of the scenario that ships and is exactly this one */
function shippedAs(
  { scenario, raw }: LinkContent,
  { bundledScenario }: Pick<Catalogue, 'bundledScenario'>,
): string | undefined {
  const { name } = scenario;
  if (!BUNDLED_SCENARIOS.some((each) => each.name === name)) return undefined;
  return JSON.stringify(bundledScenario(name).raw) === JSON.stringify(raw) ? name : undefined;
}

/** @returns the link from its sign # on, however long; undefined where the scenario names files, which no link can hold */
export function writeLink(content: LinkContent, catalogue: Pick<Catalogue, 'bundledScenario'>): string | undefined {
  const { scenario, raw, cycle, views, lesson } = content;
  if (fileReferences(scenario).length > 0) return undefined;
  const ships = shippedAs(content, catalogue);
  const shown = Object.keys(views).length > 0 ? { views } : {};
  const stands = lesson && { lesson: { step: lesson.step, ...(lesson.tried && { tried: true }) } };
  const head = JSON.stringify({ ...(ships !== undefined && { ships }), cycle, ...shown, ...stands });
  return packLink(ships === undefined ? `${head}\n${formatScenario(isRecord(raw) ? raw : {})}` : head);
}

/** @returns the scenario that is on screen: at a step of its lesson, with what that step changes. @throws ScenarioError */
function onScreen({ lesson }: z.output<typeof headSchema>, scenario: Scenario): Scenario {
  if (!lesson || lesson.tried) return scenario;
  return validateScenario(scenarioAtStep(scenario, scenario.lesson, lesson.step - 1), LINKED_SCENARIO).scenario;
}

/** What head and scenario have against each other. */
function misfits(head: z.output<typeof headSchema>, scenario: Scenario): Problem[] {
  const { cycle, views, lesson } = head;
  const steps = scenario.lesson.length;
  if (lesson && lesson.step > steps) {
    const allowed = steps === 0 ? 'none, the scenario has no lesson' : `1 to ${steps}, the lesson's last`;
    return [{ path: ['lesson', 'step'], message: `found ${lesson.step}, allowed: ${allowed}` }];
  }
  const shown = onScreen(head, scenario);
  const last = cyclesOf(shown) - 1;
  const beyond = { path: ['cycle'], message: `found ${cycle}, allowed: −1 to ${last}, the scenario's last` };
  return [...(cycle > last ? [beyond] : []), ...within(['views'], viewProblems(views, shown))];
}

/**
 * @param link from its sign # on
 * @throws ScenarioError with everything that is wrong with it, as far as it can be judged without its scenario
 */
export function readLink(link: string): ReadLink {
  const text = unpackLink(link);
  const end = text.indexOf('\n');
  const written = end < 0 ? text : text.slice(0, end);
  if (written.length > LONGEST_HEAD) {
    const message = `found ${written.length} characters before the scenario, allowed: ${LONGEST_HEAD}`;
    throw scenarioError([{ path: [], message }], THE_LINK);
  }
  const { value, locate, sourceOf } = parseJsonText(written, THE_LINK, LEAST);
  const { data: head, error } = headSchema.safeParse(value);
  if (!head) throw scenarioError(problemsOf(error.issues, value, sourceOf, headJsonSchema()), THE_LINK, locate);
  if ((head.ships === undefined) === end < 0) {
    const message = `found ${end < 0 ? 'no scenario' : 'two scenarios'}, allowed: the name of one that ships or the text of a file`;
    throw scenarioError([{ path: [], message }], THE_LINK);
  }
  return {
    scenario: head.ships === undefined ? { text: text.slice(end + 1) } : { ships: head.ships },
    cycle: head.cycle,
    views: head.views,
    lesson: head.lesson,
    check(scenario) {
      const problems = misfits(head, scenario);
      if (problems.length > 0) throw scenarioError(problems, THE_LINK, locate);
    },
  };
}

function headJsonSchema(): JsonSchema {
  return z.toJSONSchema(headSchema, { io: 'input' }) as JsonSchema;
}

/** Decimals of a camera's numbers: a tenth of a pixel. */
const DECIMALS = 4;
/** What a new laboratory shows of the evidence. */
export const USUAL_EVIDENCE = 'errors';

/** What views say of the X-ray. */
export type ViewedXray = Pick<Xray, 'subject' | 'isWithheld' | 'choose' | 'leave'>;

/** What views say of impacts. */
export type ShownImpact = Pick<Impact, 'viewed' | 'show'>;

/** What of a run is written and shown. */
interface ShownRun {
  readonly view: ViewState;
  readonly impact: ShownImpact;
  readonly xray: ViewedXray;
}

function rounded(value: number): number {
  return Number(value.toFixed(DECIMALS));
}

function writtenCamera({ azimuth, elevation, distance, targetX, targetZ, fits }: CameraState): Views['camera'] {
  return {
    azimuth: rounded(azimuth % (2 * Math.PI)),
    elevation: rounded(elevation),
    distance: rounded(distance),
    targetX: rounded(targetX),
    targetZ: rounded(targetZ),
    ...(fits === true && { fits }),
  };
}

function writtenCameras(
  kind: CameraKind | undefined,
  placement: CameraPlacement | undefined,
): Pick<Views, 'camera' | 'cameraKind' | 'freeCameras'> {
  if (kind !== undefined) return { ...(kind !== 'perspective' && { cameraKind: kind }), freeCameras: {} };
  if (!placement) return { freeCameras: {} };
  const isUsual = JSON.stringify(placement.common) === JSON.stringify(presetCamera('perspective'));
  const free = [...placement.free].map(([key, state]) => [key, writtenCamera(state)] as const);
  return {
    ...(!isUsual && { camera: writtenCamera(placement.common) }),
    freeCameras: Object.fromEntries(free) as Views['freeCameras'],
  };
}

/** @returns what is on screen of a run, without what a new laboratory shows anyway; a usual part of the evidence is omitted */
export function viewsNow(
  { evidence }: Pick<Laboratory, 'evidence'>,
  { view, stage, xray, impact }: ShownRun & { readonly stage: Pick<StageState, 'currentStage'> },
): WrittenViews {
  const crossSection = view.crossSection.value;
  const subject = xray.subject.value;
  const viewedImpact = impact.viewed.value;
  // A branch has no name that another page knows.
  const difference = view.difference.value;
  const views: Views = {
    fields: [...view.fields.value],
    phase: view.phase.value,
    look: view.look.value,
    exaggeration: view.exaggeration.value,
    camerasLinked: view.camerasLinked.value,
    ...writtenCameras(view.camera.value, stage.currentStage.value?.cameras()),
    rangeMode: view.rangeMode.value,
    lockedRanges: view.lockedRanges.value as Views['lockedRanges'],
    freeRunCounts: view.freeRunCounts.value,
    ...(difference !== undefined && branchOf(difference) === undefined && { difference }),
    showsObservations: view.showsObservations.value,
    showsBathymetry: view.showsBathymetry.value,
    probes: view.probes.value.map(({ id, x, y }) => ({ id, x, y })),
    ...(crossSection && { crossSection }),
    hiddenMethods: [...view.hiddenMethods.value],
    ...(subject && { xray: subject }),
    ...(viewedImpact && { impact: viewedImpact }),
    ...(evidence.evidenceTab.value !== USUAL_EVIDENCE && { evidence: evidence.evidenceTab.value }),
  };
  const usual: Readonly<Record<string, unknown>> = viewsSchema.parse({});
  const differs = ([key, value]: [string, unknown]): boolean => JSON.stringify(value) !== JSON.stringify(usual[key]);
  return Object.fromEntries(Object.entries(views).filter(differs));
}

/** @returns where the cameras of these views are; at the usual place if they name none */
function camerasOf({ camera, cameraKind, freeCameras }: Views, usual: CameraKind): CameraKind | CameraPlacement {
  const free = new Map(Object.entries(freeCameras));
  if (free.size === 0 && !camera) return cameraKind ?? usual;
  return { common: camera ?? presetCamera(cameraKind ?? usual), free };
}

/**
 * Shows of a run what was on screen, or is to be; the evidence is its caller's.
 *
 * @param usual camera of views that name none
 * @param milliseconds until the cameras are there
 */
export function showViews(
  { view, xray, impact }: ShownRun,
  views: Views,
  usual: CameraKind = 'perspective',
  milliseconds: number = EASE_MILLISECONDS,
): void {
  batch(() => {
    view.fields.value = views.fields;
    view.phase.value = views.phase;
    view.look.value = views.look;
    view.exaggeration.value = views.exaggeration;
    view.camerasLinked.value = views.camerasLinked;
    view.moveCameras(camerasOf(views, usual), milliseconds);
    view.rangeMode.value = views.rangeMode;
    view.lockedRanges.value = views.lockedRanges;
    view.freeRunCounts.value = views.freeRunCounts;
    view.difference.value = views.difference;
    view.showsObservations.value = views.showsObservations;
    view.showsBathymetry.value = views.showsBathymetry;
    view.probes.value = views.probes;
    view.crossSection.value = views.crossSection;
    view.hiddenMethods.value = new Set(views.hiddenMethods);
    if (views.xray) xray.choose(views.xray);
    else xray.leave();
    impact.show(views.impact);
  });
}
