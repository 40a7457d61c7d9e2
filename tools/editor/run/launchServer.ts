import { join } from 'node:path';
import { runProgram, startProgram, type ProgramResult, type RunningProgram } from './programs.ts';
import { writeSettings } from './quietSettings.ts';
import type { VscodeServer } from '../install/vscodeServer.ts';
import { patienceMs } from './patience.ts';

/** Options for starting a VS Code server. */
export interface ServerOptions {
  readonly server: VscodeServer;
  /** The user data folder, either empty or from an earlier start. Use a separate folder for each test run. */
  readonly dataFolder: string;
  /** The folder for installed extensions. Defaults to a subfolder of `dataFolder`. */
  readonly extensionsFolder?: string;
  /** The folder of VS Code's built-in extensions. Defaults to that of the server. */
  readonly builtInFolder?: string;
  /** User settings, which are added to the quiet settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Packaged extensions to install first. */
  readonly vsixes?: readonly string[];
  /** The port to listen on. Defaults to a free port. */
  readonly port?: number;
  /** Whether VS Code asks for workspace trust, as in a normal installation. By default, every folder is trusted. */
  readonly workspaceTrust?: boolean;
  /** Environment variables for the server, which the extension host inherits. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** A VS Code server that listens on 127.0.0.1. */
export interface LaunchedServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** The complete output of the server. */
  output(): string;
  /** Settles when the server has ended. */
  readonly ended: Promise<ProgramResult>;
  dispose(): Promise<void>;
}

/** Starts a VS Code server and waits until it is listening. Rejects with its output if it fails to start. */
export async function launchServer(options: ServerOptions): Promise<LaunchedServer> {
  const settingsFile = join(options.dataFolder, 'data', 'User', 'settings.json');
  await writeSettings(settingsFile, options.settings);
  await installExtensions(options);
  const builtIns = options.builtInFolder ? ['--builtin-extensions-dir', options.builtInFolder] : [];
  const args = [serverMain(options.server), ...folders(options), ...builtIns, ...listening(options)];
  const program = startProgram(options.server.node, args, {
    folder: options.dataFolder,
    environment: { ...environmentOfServer, ...options.environment },
  });
  const url = await addressOf(program);
  return { url, output: () => program.output(), ended: program.ended, dispose: () => program.dispose() };
}

const environmentOfServer = {
  // These would connect a server started in a VS Code terminal to that VS Code instance.
  VSCODE_IPC_HOOK_CLI: undefined,
  VSCODE_PROXY_URI: undefined,
  NODE_OPTIONS: undefined,
  // As if a shell had started the server. Otherwise, the server starts a login shell to read the variables for
  // terminals.
  VSCODE_CLI: '1',
};

function serverMain(server: VscodeServer): string {
  return join(server.folder, 'out', 'server-main.js');
}

function listening(options: ServerOptions): string[] {
  const trust = options.workspaceTrust ? [] : ['--disable-workspace-trust'];
  return ['--host', '127.0.0.1', '--port', String(options.port ?? 0), '--without-connection-token', ...trust];
}

async function addressOf(program: RunningProgram): Promise<string> {
  try {
    const [, port = ''] = await program.waitForOutput(/Extension host agent listening on (\d+)/, patienceMs);
    return `http://127.0.0.1:${port}`;
  } catch (error) {
    await program.dispose();
    throw error;
  }
}

/** Installs the packages in `vsixes`, if there are any. Rejects with the output of the server if that fails. */
export async function installExtensions(
  options: Pick<ServerOptions, 'server' | 'dataFolder' | 'extensionsFolder' | 'vsixes'>,
): Promise<void> {
  const { server, vsixes = [] } = options;
  if (vsixes.length === 0) return;
  const installs = vsixes.flatMap((vsix) => ['--install-extension', vsix]);
  const args = [serverMain(server), ...folders(options), ...installs, '--force'];
  const { code, output } = await runProgram(server.node, args, { environment: environmentOfServer });
  const installed = output.split('was successfully installed').length - 1;
  if (code !== 0 || installed < vsixes.length) throw new Error(`Could not install ${vsixes.join(', ')}:\n${output}`);
}

function folders({ dataFolder, extensionsFolder }: Pick<ServerOptions, 'dataFolder' | 'extensionsFolder'>): string[] {
  return [
    '--server-data-dir',
    dataFolder,
    '--extensions-dir',
    extensionsFolder ?? join(dataFolder, 'extensions'),
    '--accept-server-license-terms',
    '--disable-telemetry',
    // The environment is that of this process. Without the option, each server starts a login shell to read variables.
    '--force-disable-user-env',
  ];
}
