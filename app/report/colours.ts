/**
 * The methods' colours in a page that follows the reader's theme: named once in its style sheet, light as on paper, dark on dark
 * screens alone.
 */
import type { MethodStyle } from '../document/views/method-style.ts';

type Shades = Pick<MethodStyle, 'dark' | 'light'>;

function nameOf({ dark, light }: Shades): string {
  return `--${light.slice(1)}-${dark.slice(1)}`;
}

/** @returns what an attribute of a drawing has */
export function colourOf(style: Shades): string {
  return `var(${nameOf(style)})`;
}

/** @returns the declarations of all shades, of one theme */
export function colourRules(styles: readonly Shades[], theme: keyof Shades): string {
  const rules = styles.map((style) => `${nameOf(style)}:${style[theme]}`);
  return [...new Set(rules)].join(';');
}
