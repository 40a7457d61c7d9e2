import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { aptCommand, findOnPath, installDebianPackages, isExecutable } from '../install/systemPackages.ts';

/** Names of Chromium and of related browsers that Playwright can drive in the same way. */
const namesOnPath = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'];

/** Names of Chromium's build without windows. It opens and closes pages with a fraction of the processor time. */
const shellNames = ['chromium-headless-shell', 'chrome-headless-shell'];

const quietArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * The path of Chromium or Chrome: `CHROME_PATH`, or an installed browser. As root on Debian, installs Chromium if
 * necessary. Rejects if there is no browser, or if `CHROME_PATH` isn't a program.
 */
export async function obtainBrowser(say: (line: string) => void): Promise<string> {
  const found = findBrowser();
  if (found) return found;
  const packages = ['chromium', 'fonts-noto-color-emoji', 'fonts-noto-cjk'];
  if (await installDebianPackages(packages, say)) {
    const installed = findBrowser();
    if (installed) return installed;
  }
  throw new Error(`No Chromium or Chrome was found. Set CHROME_PATH to one, or run: ${aptCommand(packages)}`);
}

function findBrowser(): string | undefined {
  const named = process.env['CHROME_PATH'];
  if (named) {
    if (isExecutable(named)) return named;
    throw new Error(`CHROME_PATH is set to ${named}, which is not a program.`);
  }
  return usualPlaces().find(isExecutable) ?? namesOnPath.map(findOnPath).find((file) => file !== undefined);
}

function usualPlaces(): string[] {
  if (process.platform === 'darwin') {
    return ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    );
  }
  if (process.platform === 'win32') {
    const roots = ['ProgramFiles', 'ProgramFiles(x86)', 'LOCALAPPDATA'].map((name) => process.env[name] ?? 'C:\\');
    const programs = [
      join('Google', 'Chrome', 'Application', 'chrome.exe'),
      join('Microsoft', 'Edge', 'Application', 'msedge.exe'),
    ];
    return programs.flatMap((program) => roots.map((root) => join(root, program)));
  }
  return ['/usr/bin/chromium'];
}

/** Starts a headless browser for Playwright. The caller must close it. */
export async function launchBrowser(say: (line: string) => void): Promise<Browser> {
  return chromium.launch({ executablePath: await obtainBrowser(say), args: quietArguments });
}

/**
 * Starts a browser for Playwright that opens many pages quickly: a build without windows if one is installed and
 * `CHROME_PATH` isn't set, or else the usual browser. With `sharesProcess`, one process runs all pages of a context.
 * The caller must close the browser.
 */
export async function launchPageBrowser({ sharesProcess }: { readonly sharesProcess: boolean }): Promise<Browser> {
  const shell = process.env['CHROME_PATH'] ? undefined : shellNames.map(findOnPath).find((file) => file !== undefined);
  const executablePath = shell ?? (await obtainBrowser(console.log));
  const args = sharesProcess ? [...quietArguments, '--renderer-process-limit=1'] : quietArguments;
  return chromium.launch({ executablePath, args });
}
