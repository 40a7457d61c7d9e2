import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const removal = { recursive: true, force: true, maxRetries: 5 } as const;
/** Longer than a leash (tools/editor/run/leash.ts) needs to end its program. */
const untilProgramsEndMs = 5_000;

/**
 * Creates a folder for the temporary files of this process and its programs, and deletes it at the end. After Ctrl+C,
 * programs can still write to the folder for a moment, so another process deletes it again later.
 */
export function useRunFolder(): void {
  const folder = mkdtempSync(join(tmpdir(), 'lineside-bench-'));
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  process.once('exit', () => rmSync(folder, removal));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      const remove = `setTimeout(() => fs.rmSync(${JSON.stringify(folder)}, ${JSON.stringify(removal)}), ${untilProgramsEndMs})`;
      spawn(process.execPath, ['-e', remove], { detached: true, stdio: 'ignore', cwd: join(folder, '..') }).unref();
      process.exit(130);
    });
  }
}
