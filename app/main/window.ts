/** The window: what it may do is as little as the page needs. */

/** Options of `BrowserWindow` that are used. */
export interface WindowOptions {
  readonly width: number;
  readonly height: number;
  readonly minWidth: number;
  readonly minHeight: number;
  readonly show: boolean;
  readonly title: string;
  readonly backgroundColor: string;
  readonly webPreferences: {
    readonly preload: string;
    readonly sandbox: true;
    readonly contextIsolation: true;
    readonly nodeIntegration: false;
    readonly nodeIntegrationInWorker: false;
    readonly nodeIntegrationInSubFrames: false;
    readonly webSecurity: true;
    readonly allowRunningInsecureContent: false;
    readonly experimentalFeatures: false;
    readonly webviewTag: false;
    readonly navigateOnDragDrop: false;
    readonly spellcheck: false;
    readonly backgroundThrottling: boolean;
  };
}

/** @param preload path of the preload script */
export function windowOptions(preload: string): WindowOptions {
  return {
    width: 1440,
    height: 900,
    minWidth: 1024,
    minHeight: 700,
    // Shown when the first frame is there: no white flash.
    show: false,
    title: 'Shoal',
    backgroundColor: '#0e1116',
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      // A run continues while another window is in front.
      backgroundThrottling: false,
    },
  };
}
