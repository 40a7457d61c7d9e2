import { spawn } from 'node:child_process';
import { findOnPath } from '../install/systemPackages.ts';

/** Opens a URL in the user's browser. Returns false if no browser can be opened, for example without a display. */
export function openInBrowser(address: string): boolean {
  const opener = findOpener();
  if (!opener) return false;
  const [program, ...args] = opener;
  // Start the browser without a leash, because it must stay open when this program ends.
  const child = spawn(program, [...args, address], { detached: true, stdio: 'ignore', windowsHide: true });
  child.on('error', () => undefined);
  child.unref();
  return true;
}

function findOpener(): [string, ...string[]] | undefined {
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  if (process.platform === 'darwin') return ['open'];
  const hasDisplay = process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY'];
  const program = hasDisplay ? findOnPath('xdg-open') : undefined;
  return program ? [program] : undefined;
}
