/**
 * A link: a scenario with what was changed of it while it ran, a cycle, and the views. As a text it is a line of JSON and, unless
 * the scenario ships and is named there, the text of its file beneath. What is read may come from anybody: the scenario is read
 * as a file is, the line by a schema of its own, and both are held to each other.
 */
import { z } from 'zod';
import {
  cyclesOf,
  fileReferences,
  formatScenario,
  isRecord,
  parseJsonText,
  problemsOf,
  scenarioError,
} from '../../../engine/index.ts';
import type { JsonSchema, Problem, Scenario } from '../../../engine/index.ts';
import { BUNDLED_SCENARIOS } from '../state/bundled-scenarios.ts';
import type { Catalogue } from '../state/bundled-scenarios.ts';
import { packLink, THE_LINK, unpackLink } from './link-text.ts';
import { linkViewsSchema } from './link-views.ts';
import type { LinkViews, WrittenViews } from './link-views.ts';

/** What is called the scenario of a link where something is wrong with it. */
export const LINKED_SCENARIO = 'the scenario of the link';

/** Characters of the line before the scenario: all views that a person could arrange take fewer. */
const LONGEST_HEAD = 2 ** 15;
const LEAST = 'a link begins with a JSON object, at least {"cycle": 0}';
const headSchema = z.strictObject({
  /** Of the scenarios that ship; where it is left out, the scenario is spelt out. */
  ships: z.enum(BUNDLED_SCENARIOS.map(({ name }) => name)).optional(),
  /** On screen; −1 is the state before the first. */
  cycle: z.int().min(-1),
  views: linkViewsSchema.prefault({}),
});

/** What a link leads to, as far as it can be judged without its scenario. */
export interface ReadLink {
  /** The name of one that ships, or the text of a scenario file, not read yet. */
  readonly scenario: { readonly ships: string } | { readonly text: string };
  readonly cycle: number;
  readonly views: LinkViews;
  /** @throws ScenarioError where cycle or views do not fit the scenario */
  check(scenario: Scenario): void;
}

/** What is on screen, to be linked to. */
export interface LinkContent {
  readonly scenario: Scenario;
  /** As its file has it. */
  readonly raw: unknown;
  readonly cycle: number;
  readonly views: WrittenViews;
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
  const { scenario, raw, cycle, views } = content;
  if (fileReferences(scenario).length > 0) return undefined;
  const ships = shippedAs(content, catalogue);
  const shown = Object.keys(views).length > 0 ? { views } : {};
  const head = JSON.stringify({ ...(ships !== undefined && { ships }), cycle, ...shown });
  return packLink(ships === undefined ? `${head}\n${formatScenario(isRecord(raw) ? raw : {})}` : head);
}

/** What head and scenario have against each other. */
function misfits({ cycle, views }: z.output<typeof headSchema>, scenario: Scenario): Problem[] {
  const { nx, ny } = scenario.grid;
  const last = cyclesOf(scenario) - 1;
  const problems: Problem[] = [];
  if (cycle > last)
    problems.push({ path: ['cycle'], message: `found ${cycle}, allowed is −1 to ${last}, the scenario's last` });
  const { probes, crossSection } = views;
  const cells = [
    ...probes.map((probe, index) => [probe, ['views', 'probes', index]] as const),
    ...(crossSection ? [[crossSection.from, ['views', 'crossSection', 'from']] as const] : []),
    ...(crossSection ? [[crossSection.to, ['views', 'crossSection', 'to']] as const] : []),
  ];
  for (const [{ x, y }, path] of cells) {
    if (x < nx && y < ny) continue;
    problems.push({
      path,
      message: `found x ${x}, y ${y}, allowed are cells of the grid: x below ${nx}, y below ${ny}`,
    });
  }
  return problems;
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
    const message = `found ${written.length} characters before the scenario, allowed are ${LONGEST_HEAD}`;
    throw scenarioError([{ path: [], message }], THE_LINK);
  }
  const { value, locate, sourceOf } = parseJsonText(written, THE_LINK, LEAST);
  const { data: head, error } = headSchema.safeParse(value);
  if (!head) throw scenarioError(problemsOf(error.issues, value, sourceOf, headJsonSchema()), THE_LINK, locate);
  if ((head.ships === undefined) === end < 0) {
    const message = `found ${end < 0 ? 'no scenario' : 'two scenarios'}, allowed is the name of one that ships or the text of a file`;
    throw scenarioError([{ path: [], message }], THE_LINK);
  }
  return {
    scenario: head.ships === undefined ? { text: text.slice(end + 1) } : { ships: head.ships },
    cycle: head.cycle,
    views: head.views,
    check(scenario) {
      const problems = misfits(head, scenario);
      if (problems.length > 0) throw scenarioError(problems, THE_LINK, locate);
    },
  };
}

function headJsonSchema(): JsonSchema {
  return z.toJSONSchema(headSchema, { io: 'input' }) as JsonSchema;
}
