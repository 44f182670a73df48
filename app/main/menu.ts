/** The native menu. Its items are the palette's commands, by their ids; the page carries them out. */

export interface MenuItem {
  label?: string;
  role?: string;
  type?: 'separator';
  id?: string;
  accelerator?: string;
  registerAccelerator?: boolean;
  submenu?: MenuItem[];
  click?: () => void;
}

/** An entry of a menu: a command with its title and, to be shown beside it, its key. */
type Entry = readonly [id: string, title: string, key?: string] | 'separator';

const FILE: readonly Entry[] = [
  ['file.open', 'Open Scenario…', 'CommandOrControl+O'],
  ['file.gallery', 'Scenarios That Ship…', 'G'],
  'separator',
  ['file.save', 'Save Scenario…', 'CommandOrControl+S'],
  ['file.save-run', 'Save Run as Folder…'],
  ['file.save-states', 'Save Run with Its States…'],
  ['file.save-bundle', 'Save Run as Bundle…'],
  ['file.report', 'Write a Report…'],
  ['file.report-folder', 'Write a Report of a Run Folder…'],
  'separator',
  ['file.copy-command', 'Copy as Command', 'CommandOrControl+Shift+C'],
  ['file.copy-link', 'Copy Link', 'CommandOrControl+Shift+L'],
];
const EDIT: readonly Entry[] = [
  ['edit.undo', 'Undo', 'CommandOrControl+Z'],
  ['edit.redo', 'Redo', 'CommandOrControl+Shift+Z'],
  'separator',
  ['edit.apply', 'Apply Settings'],
  ['edit.revert', 'Revert Settings'],
];
const RUN: readonly Entry[] = [
  ['run.play', 'Play or Pause', 'Space'],
  ['run.step-back', 'Step Back'],
  ['run.step-forward', 'Step Forward'],
  ['run.first', 'First Stored Cycle'],
  ['run.follow', 'Follow the Newest'],
  ['run.fork', 'Fork at the Cycle on Screen…'],
  'separator',
  ['run.slower', 'Slower'],
  ['run.faster', 'Faster'],
  ['run.loop', 'Loop'],
  'separator',
  ['world.gauges', 'Paint the Network', 'N'],
  ['world.drop', 'Drop Water', 'D'],
  ['world.island', 'Raise an Island', 'Shift+I'],
  'separator',
  ['run.restart', 'Restart'],
];
const VIEW: readonly Entry[] = [
  ['view.palette', 'Command Palette…', 'CommandOrControl+K'],
  'separator',
  ['view.settings', 'Settings Panel'],
  ['view.runs', 'Runs Panel', 'R'],
  ['view.evidence', 'Evidence Panel'],
  ['view.benchmarks', 'Benchmarks…', 'Shift+B'],
  ['view.sweeps', 'Sweeps…', 'Shift+S'],
  ['view.presentation', 'Stage Mode'],
  ['view.full', 'All Controls'],
  ['view.theme', 'Next Theme'],
];

/** Ids of all commands that the menu offers. */
export const MENU_COMMANDS: readonly string[] = [FILE, EDIT, RUN, VIEW]
  .flatMap((entries) => entries.flatMap((entry) => (entry === 'separator' ? [] : [entry[0]])))
  .concat('help.shortcuts', 'help.check');

interface RecentMenuItem {
  readonly name: string;
  readonly open: () => void;
}

export interface MenuParts {
  readonly platform: NodeJS.Platform;
  readonly run: (command: string) => void;
  readonly recent: readonly RecentMenuItem[];
  /** More items of the Help menu, which the main process carries out itself. */
  readonly help?: readonly { readonly label: string; readonly click: () => void }[];
  /** Whether the tools for developing the page are offered. */
  readonly developing?: boolean;
}

/** @returns the template for `Menu.buildFromTemplate` */
export function menuTemplate({ platform, run, recent, help = [], developing = false }: MenuParts): MenuItem[] {
  const mac = platform === 'darwin';
  const item = (entry: Entry): MenuItem => {
    if (entry === 'separator') return { type: 'separator' };
    const [id, label, accelerator] = entry;
    // The page listens to keys itself; the menu only shows them, which macOS cannot.
    const key = accelerator === undefined || mac ? {} : { accelerator, registerAccelerator: false };
    return { id, label, ...key, click: () => run(id) };
  };
  const recentMenu: MenuItem = {
    label: 'Open Recent',
    submenu:
      recent.length > 0
        ? recent.map(({ name, open }) => ({ label: name, click: open }))
        : [{ label: 'No recent scenarios' }],
  };
  const [open, ...file] = FILE.map(item);
  return [
    ...(mac ? [{ role: 'appMenu' }] : []),
    {
      label: 'File',
      submenu: [open, recentMenu, ...file, { type: 'separator' }, { role: mac ? 'close' : 'quit' }],
    },
    {
      label: 'Edit',
      submenu: [
        ...EDIT.map(item),
        { type: 'separator' },
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'selectAll' },
      ],
    },
    { label: 'Run', submenu: RUN.map(item) },
    {
      label: 'View',
      submenu: [
        ...VIEW.map(item),
        { type: 'separator' },
        { role: 'togglefullscreen' },
        ...(developing ? [{ role: 'reload' }, { role: 'toggleDevTools' }] : []),
      ],
    },
    { role: 'windowMenu' },
    {
      role: 'help',
      submenu: [
        { id: 'help.shortcuts', label: 'Keyboard Shortcuts', click: () => run('help.shortcuts') },
        { id: 'help.check', label: 'Check This Installation…', click: () => run('help.check') },
        ...(help.length > 0 ? [{ type: 'separator' as const }, ...help] : []),
      ],
    },
  ];
}
