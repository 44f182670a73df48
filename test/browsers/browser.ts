/** What these tests ask of a browser, whichever it is. */

/** A key by the name that it has in the page, and what is held with it. */
export interface KeyPress {
  readonly key: string;
  readonly held?: 'Control' | 'Shift';
}

/** A point of the page, in CSS pixels from its upper left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Browser {
  open(url: string): Promise<void>;
  /** Runs the body of a function in the page, and has what it returns. @throws Error if the page is loaded again meanwhile */
  evaluate(body: string, ...values: readonly unknown[]): Promise<unknown>;
  press(press: KeyPress): Promise<void>;
  /** Types into what has the focus. */
  type(text: string): Promise<void>;
  click(point: Point): Promise<void>;
  /** A PNG file of the page. */
  screenshot(): Promise<Uint8Array>;
  /** What the browser's console has as errors. */
  errors(): readonly string[];
  close(): Promise<void>;
}

export interface BrowserOptions {
  /** The screen that it draws on. */
  readonly display: string;
  /** An empty folder for all that it keeps. */
  readonly home: string;
  /** Where it saves files. */
  readonly downloads: string;
}
