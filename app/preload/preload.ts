/** The preload script: sandboxed, in a world of its own; it gives the page the bridge and nothing else. */
import { contextBridge, ipcRenderer } from 'electron';
import { createBridge } from './bridge.ts';

contextBridge.exposeInMainWorld('shoal', createBridge(ipcRenderer));
