import { spawn } from 'node:child_process';
import { findOnPath } from '../install/systemPackages.ts';

/** Opens an address in the user's browser; false where there is none to be seen. */
export function openInBrowser(address: string): boolean {
  const opener = findOpener();
  if (!opener) return false;
  const [program, ...args] = opener;
  // The browser stays the user's when this program ends, so it is not on a leash.
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
