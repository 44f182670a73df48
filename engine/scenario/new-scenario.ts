/** The text of a scenario file with the layout of a hand-written one. */

/** Objects and lists that fit within this many characters are on one line. */
const LINE = 110;

/** Where editors find what a scenario file may say: `shoal schema` written beside it. */
export const SCHEMA_FILE = 'scenario.schema.json';

/**
 * @param from a scenario as its file has it
 * @param name lower-case words joined by hyphens
 * @returns the text of a new scenario file that starts from it, without its expected results, which are the old one's
 */
export function newScenarioText(from: object, name: string): string {
  const { $schema: _schema, version, name: _name, expected: _expected, ...rest } = from as Record<string, unknown>;
  return formatScenario({ $schema: `./${SCHEMA_FILE}`, version, name, ...rest });
}

/** @returns JSON with short objects and lists on one line, and a line end */
export function formatScenario(raw: object): string {
  return `${format(raw, '')}\n`;
}

function format(value: unknown, indent: string): string {
  const flat = oneLine(value);
  if (typeof value !== 'object' || value === null || (indent !== '' && indent.length + flat.length <= LINE))
    return flat;
  const inside = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((entry) => inside + format(entry, inside)).join(',\n')}\n${indent}]`;
  }
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  if (entries.length === 0) return '{}';
  return `{\n${entries.map(([key, entry]) => `${inside}${JSON.stringify(key)}: ${format(entry, inside)}`).join(',\n')}\n${indent}}`;
}

function oneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  if (entries.length === 0) return '{}';
  return `{ ${entries.map(([key, entry]) => `${JSON.stringify(key)}: ${oneLine(entry)}`).join(', ')} }`;
}
