/** What these tests ask of a browser, whichever it is. */

/** A point of the page, in CSS pixels from its upper left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export type Held = 'Control' | 'Shift';

export interface Browser {
  open(url: string): Promise<void>;
  /**
   * Runs the body of a function in the page.
   *
   * @param values are its `a` and `b`
   * @returns what it returns, as JSON can have it
   * @throws Error if the page is being replaced
   */
  evaluate(body: string, ...values: readonly string[]): Promise<unknown>;
  /** Presses a key, by the name that it has in the page, while another is held. */
  press(key: string, held?: Held): Promise<void>;
  /** Types into what has the focus. */
  type(text: string): Promise<void>;
  click(point: Point): Promise<void>;
  /** A PNG file of the page. */
  screenshot(): Promise<Uint8Array>;
  /** What the console has shown as errors. */
  errors(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** What a browser is started with. */
export interface Surroundings {
  /** The screen that it draws on. */
  readonly display: string;
  /** An empty folder for all that it keeps. */
  readonly home: string;
  /** The folder in which it saves files. */
  readonly downloads: string;
}

/** The environment of a browser's process: nothing of this process's but the way to the programs. */
export function environmentOf({ display, home }: Surroundings): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_RUNTIME_DIR: home,
    DISPLAY: display,
    LANG: 'C.UTF-8',
    LIBGL_ALWAYS_SOFTWARE: '1',
  };
}
