import type { Workbench } from '../drive/workbench.ts';
import type { EditorVersion } from '../install/vscodeServer.ts';
import type { SharedBrowser } from './sharedBrowser.ts';

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
  /**
   * Which of VS Code's built-in extensions are loaded. With `few`, only those that most end-to-end tests need, so that
   * a window starts faster. In the server build only; defaults to `all`.
   */
  readonly builtInExtensions?: 'all' | 'few';
  /** The folder of an extension to load from source, in development mode. */
  readonly developmentFolder?: string;
  /** The module whose `run()` is called inside the extension host. Requires `developmentFolder`. */
  readonly testsModule?: string;
  /** User settings, which are added to the quiet settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Whether VS Code asks for workspace trust, as in a normal installation. By default, every folder is trusted. */
  readonly workspaceTrust?: boolean;
  /**
   * The language of extensions. VS Code's own texts are in its pseudo-language, in brackets. In the server build only.
   */
  readonly pseudoLanguage?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** The browser for the windows of the server build. By default, a new one is started, and closed with the editor. */
  readonly browser?: SharedBrowser;
  /** Receives progress messages about slow steps. By default, there are none. */
  readonly say?: (line: string) => void;
}

/** A running VS Code instance. */
export interface Editor {
  readonly kind: 'server' | 'desktop';
  /** The folder with its user data, including logs. */
  readonly dataFolder: string;
  /** The folder of its installed extensions. Other editors may use it as well. */
  readonly extensionsFolder: string;
  /**
   * Opens a window with the workspace. In a browser, each further call opens another window that shares data and
   * secrets; on the desktop, it rejects. The probe performs requests in the window that was loaded last.
   */
  openWindow(): Promise<Workbench>;
  /** The output of its main process. */
  output(): string;
  /** Ends VS Code with all its processes. Deletes the data folder if it was temporary. */
  dispose(): Promise<void>;
}
