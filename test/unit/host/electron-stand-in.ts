/**
 * Electron as far as the application uses it: a main process whose events a test sends, windows that remember what was done
 * to them, and the wire between the two worlds. It copies what crosses, as Electron does.
 */
import { EventEmitter, once } from 'node:events';
import type { MenuItem } from '../../../app/main/menu.ts';
import type { CallEvent } from '../../../app/main/ipc.ts';
import type { RendererIpc } from '../../../app/preload/bridge.ts';

type Listener = (event: CallEvent, ...values: unknown[]) => unknown;

export interface StandInOptions {
  /** Where the application keeps its own files. */
  readonly userData: string;
  readonly isPackaged?: boolean;
  /** Whether no other instance runs. */
  readonly isFirst?: boolean;
  /** The path that the system's dialog for opening answers with. */
  readonly chosen?: string;
  /** What every message box is answered with. */
  readonly response?: number;
}

class Contents extends EventEmitter {
  readonly #wire = new EventEmitter();
  windowOpenHandler: (() => unknown) | undefined;
  crashed = 0;

  forcefullyCrashRenderer(): void {
    this.crashed += 1;
    this.emit('render-process-gone', {}, { reason: 'killed', exitCode: 9 });
  }

  send(channel: string, value: unknown): void {
    this.#wire.emit(channel, {}, structuredClone(value));
  }

  setWindowOpenHandler(handler: () => unknown): void {
    this.windowOpenHandler = handler;
  }

  /** What the preload script of this window's page has. */
  rendererIpc(handlers: ReadonlyMap<string, Listener>, url: string): RendererIpc {
    return {
      invoke: async (channel, ...values) =>
        structuredClone(
          await handlers.get(channel)?.({ senderFrame: { url, parent: null } }, ...structuredClone(values)),
        ),
      on: (channel, listener) => this.#wire.on(channel, listener),
      off: (channel, listener) => this.#wire.off(channel, listener),
    };
  }
}

interface WindowParts {
  readonly webPreferences: Readonly<Record<string, unknown>>;
}

function noHandler(): Promise<Response> {
  return Promise.reject(new Error('app:// has no handler'));
}

class StandInWindow extends EventEmitter {
  readonly webContents = new Contents();
  readonly loaded: string[] = [];
  readonly done: string[] = [];
  minimised = false;
  failure: Error | undefined;
  readonly options: WindowParts;

  constructor(options: WindowParts) {
    super();
    this.options = options;
  }

  loadURL(url: string): Promise<void> {
    this.loaded.push(url);
    return this.failure ? Promise.reject(this.failure) : Promise.resolve();
  }

  show(): void {
    this.done.push('show');
  }

  focus(): void {
    this.done.push('focus');
  }

  isMinimized(): boolean {
    return this.minimised;
  }

  restore(): void {
    this.minimised = false;
  }

  destroy(): void {
    this.done.push('destroy');
    this.emit('closed');
  }

  /** As by the button of the window. @returns whether it closed */
  close(): boolean {
    let prevented = false;
    this.emit('close', { preventDefault: () => (prevented = true) });
    if (!prevented) this.emit('closed');
    return !prevented;
  }
}

export interface StandIn {
  /** For `vi.doMock('electron', …)`. */
  readonly module: object;
  readonly app: EventEmitter;
  readonly windows: readonly StandInWindow[];
  readonly handlers: ReadonlyMap<string, Listener>;
  /** What was done, in order: `before` the application was ready, and after. */
  readonly calls: readonly string[];
  readonly told: readonly string[];
  readonly menu: () => readonly MenuItem[];
  /** The handler of `app://`. */
  readonly answer: (request: { url: string; method: string }) => Promise<Response>;
  /** The application becomes ready. */
  readonly becomeReady: () => Promise<void>;
}

export function electronStandIn(options: StandInOptions): StandIn {
  const { userData, isPackaged = false, isFirst = true, chosen, response = 0 } = options;
  const windows: StandInWindow[] = [];
  const handlers = new Map<string, Listener>();
  const calls: string[] = [];
  const told: string[] = [];
  let menu: readonly MenuItem[] = [];
  let answer: StandIn['answer'] = noHandler;
  const readiness = new EventEmitter();
  const whenReady = once(readiness, 'ready');

  const app = Object.assign(new EventEmitter(), {
    isPackaged,
    getPath: () => userData,
    getAppPath: () => process.cwd(),
    requestSingleInstanceLock: () => isFirst,
    enableSandbox: () => calls.push('sandbox'),
    commandLine: {
      appendSwitch: (name: string) => calls.push(`--${name}`),
      hasSwitch: (name: string) => calls.includes(`--${name}`),
    },
    relaunch: () => calls.push('relaunch'),
    addRecentDocument: (path: string) => calls.push(`recent ${path}`),
    whenReady: () => whenReady,
    quit() {
      calls.push('quit');
      app.emit('before-quit');
      const open = windows.filter((window) => window.listenerCount('closed') > 0 && !window.done.includes('destroy'));
      if (open.every((window) => window.close())) calls.push('has quit');
    },
  });

  const tell = (_window: unknown, { message }: { readonly message: string }): Promise<{ response: number }> => {
    told.push(message);
    return Promise.resolve({ response });
  };
  const module = {
    app,
    BrowserWindow: class extends StandInWindow {
      constructor(given: WindowParts) {
        super(given);
        windows.push(this);
        app.emit('web-contents-created', {}, this.webContents);
      }
    },
    crashReporter: {
      start: ({ uploadToServer }: { readonly uploadToServer: boolean }) =>
        calls.push(`crash reports ${uploadToServer ? 'sent' : 'kept'}`),
    },
    clipboard: { writeText: (text: string) => calls.push(`copy ${text}`) },
    dialog: {
      showMessageBox: tell,
      showErrorBox: (title: string, content: string) => told.push(`${title}: ${content}`),
      showOpenDialog: () =>
        Promise.resolve({ canceled: chosen === undefined, filePaths: chosen === undefined ? [] : [chosen] }),
      showSaveDialog: () => Promise.resolve({ canceled: true, filePath: '' }),
    },
    ipcMain: { handle: (channel: string, listener: Listener) => handlers.set(channel, listener) },
    Menu: {
      buildFromTemplate: (template: readonly MenuItem[]) => template,
      setApplicationMenu: (template: readonly MenuItem[]) => {
        menu = template;
      },
    },
    protocol: {
      registerSchemesAsPrivileged: (schemes: readonly { readonly scheme: string }[]) =>
        calls.push(...schemes.map(({ scheme }) => `privileged ${scheme}`)),
      handle: (scheme: string, handler: StandIn['answer']) => {
        calls.push(`handle ${scheme}`);
        answer = handler;
      },
    },
    course: {
      defaultSession: {
        setPermissionRequestHandler: () => calls.push('permission requests'),
        setPermissionCheckHandler: () => calls.push('permission checks'),
        setDevicePermissionHandler: () => calls.push('devices'),
        setDisplayMediaRequestHandler: () => calls.push('screens'),
      },
    },
  };
  return {
    module,
    app,
    windows,
    handlers,
    calls,
    told,
    menu: () => menu,
    answer: (request) => answer(request),
    async becomeReady() {
      calls.push('ready');
      readiness.emit('ready');
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    },
  };
}
