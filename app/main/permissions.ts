/** The page asks for nothing: every permission and device is refused. Text for the clipboard goes through the bridge. */

/** The part of Electron's session that is used. */
export interface PermissionSession {
  setPermissionRequestHandler(
    handler: (contents: unknown, permission: string, answer: (granted: boolean) => void) => void,
  ): void;
  setPermissionCheckHandler(handler: (contents: unknown, permission: string) => boolean): void;
  setDevicePermissionHandler(handler: () => boolean): void;
  setDisplayMediaRequestHandler(handler: ((request: unknown, answer: (streams: null) => void) => void) | null): void;
}

export function refusePermissions(session: PermissionSession): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  // An answer without streams would be an error in this process; none at all is a refusal.
  session.setDisplayMediaRequestHandler((_request, answer) => answer(null));
}
