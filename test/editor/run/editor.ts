import type { Workbench } from '../drive/workbench.ts';
import type { EditorVersion } from '../install/vscodeServer.ts';

/** What a VS Code is started with, in a browser or on the desktop. */
export interface EditorOptions {
  readonly version: EditorVersion;
  /** The workspace folder to open. */
  readonly folder: string;
  /** User data; by default a temporary folder that goes with the editor. */
  readonly dataFolder?: string;
  /** A packaged extension to install. */
  readonly vsix?: string;
  /** Further packaged extensions to install. */
  readonly besides?: readonly string[];
  /** Folder of an extension to load from source, in development mode. */
  readonly developmentFolder?: string;
  /** Module whose `run()` is called inside the extension host; needs `developmentFolder`. */
  readonly testsModule?: string;
  /** User settings, added to quiet ones. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Asks for workspace trust, as a real installation does. */
  readonly workspaceTrust?: boolean;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Told what takes long; by default nothing is said. */
  readonly say?: (line: string) => void;
}

/** A running VS Code. */
export interface Editor {
  readonly kind: 'server' | 'desktop';
  /** Its folder of user data, logs included. */
  readonly dataFolder: string;
  /** A window on the workspace: the first, and with each call another one that shares data and secrets. */
  openWindow(): Promise<Workbench>;
  /** What its main program wrote. */
  output(): string;
  /** Ends it with all its processes and, if it was temporary, deletes its data folder. */
  dispose(): Promise<void>;
}
