import type { Workbench } from '../drive/workbench.ts';
import type { EditorVersion } from '../install/vscodeServer.ts';

/** Options for starting VS Code in a browser or on the desktop. */
export interface EditorOptions {
  readonly version: EditorVersion;
  /** The workspace folder to open. */
  readonly folder: string;
  /** The user data folder. Defaults to a temporary folder that is deleted with the editor. */
  readonly dataFolder?: string;
  /** A packaged extension to install. */
  readonly vsix?: string;
  /** Additional packaged extensions to install. */
  readonly besides?: readonly string[];
  /** The folder of an extension to load from source, in development mode. */
  readonly developmentFolder?: string;
  /** The module whose `run()` is called inside the extension host. Requires `developmentFolder`. */
  readonly testsModule?: string;
  /** User settings, which are added to the quiet settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Whether VS Code asks for workspace trust, as it does in a normal installation. */
  readonly workspaceTrust?: boolean;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Receives progress messages about slow steps. By default, there are none. */
  readonly say?: (line: string) => void;
}

/** A running VS Code instance. */
export interface Editor {
  readonly kind: 'server' | 'desktop';
  /** The folder with its user data, including logs. */
  readonly dataFolder: string;
  /**
   * Opens a window with the workspace. In a browser, each further call opens another window that shares data and
   * secrets.
   */
  openWindow(): Promise<Workbench>;
  /** The output of its main process. */
  output(): string;
  /** Ends VS Code with all its processes. Deletes the data folder if it was temporary. */
  dispose(): Promise<void>;
}
