/** How the desktop application is packaged: what goes in, for which systems, and what Electron may not do any more. */

import { signing } from './signing.config.mjs';

const signed = signing(process.env);

/** Where installed applications look for new versions if users ask, an https address; without it they offer no updates. */
const feed = process.env.SHOAL_UPDATES || undefined;

/** Fuses, blown in the packaged runtime: it runs this application alone, from its sealed archive. */
const electronFuses = {
  runAsNode: false,
  enableCookieEncryption: true,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  loadBrowserProcessSpecificV8Snapshot: false,
  grantFileProtocolExtraPrivileges: false,
};

export default {
  appId: 'org.shoal.desktop',
  productName: 'Shoal',
  copyright: 'MIT licence',
  directories: { output: 'dist', buildResources: 'assets' },
  asar: true,
  npmRebuild: false,
  // Everything needed is in the bundles.
  files: ['out/main/**', 'out/preload/**', 'out/renderer/**', 'package.json', '!**/*.map', '!node_modules/**'],
  extraMetadata: {
    main: 'out/main/index.js',
    // Desktops of Linux find a window's entry, and so its icon, by this name.
    desktopName: 'shoal-app.desktop',
    // A .deb must name one. The domain is reserved: it is nobody's.
    homepage: 'https://shoal.example/',
  },
  electronFuses,
  publish: feed === undefined ? null : { provider: 'generic', url: feed },
  ...signed.all,
  fileAssociations: [
    {
      ext: 'shoal.json',
      name: 'Shoal scenario',
      description: 'Scenario of a data assimilation experiment',
      mimeType: 'application/vnd.shoal.scenario+json',
      role: 'Editor',
    },
    {
      ext: 'shoal',
      name: 'Shoal bundle',
      description: 'Run of a data assimilation experiment, to be reproduced',
      mimeType: 'application/vnd.shoal.bundle+zip',
      role: 'Viewer',
    },
  ],
  // A desktop of Linux may take whoever names a type for the one to open it: .json files stay with their own programs.
  linux: {
    target: ['AppImage', 'deb'],
    syncDesktopName: true,
    category: 'Education',
    icon: 'icons',
    executableName: 'shoal-app',
    maintainer: 'Shoal',
    synopsis: 'Laboratory for data assimilation',
  },
  // macOS lets an alternate be chosen for a type without becoming the one that opens it.
  mac: {
    // What updates are made of on macOS.
    target: feed === undefined ? ['dmg'] : ['dmg', 'zip'],
    ...signed.mac,
    category: 'public.app-category.education',
    icon: 'icon.png',
    darkModeSupport: true,
    fileAssociations: [{ ext: 'json', name: 'JSON', description: 'JSON document', role: 'Editor', rank: 'Alternate' }],
  },
  // It decides for itself whether this system lets Chromium's sandbox work.
  appImage: { executableArgs: [] },
  win: { target: ['nsis'], icon: 'icon.png', ...signed.win },
  nsis: {
    oneClick: false,
    perMachine: false,
    allowToChangeInstallationDirectory: true,
    include: 'assets/installer.nsh',
  },
};
