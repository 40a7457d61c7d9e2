import { join } from 'node:path';
import { repositoryFolder } from './cache.ts';
import { startProgram } from './programs.ts';

/** The embedded service, running as a program of its own. */
export interface SandboxProgram {
  readonly baseUrl: string;
  readonly token: string;
  readonly sessionIds: readonly string[];
  dispose(): Promise<void>;
}

/** Starts `dist/sandbox.js`, which the build has made, with these arguments (see its --help). */
export async function startSandboxProgram(args: readonly string[] = []): Promise<SandboxProgram> {
  const program = startProgram(process.execPath, [join(repositoryFolder, 'dist', 'sandbox.js'), ...args]);
  try {
    const [line] = await program.waitForOutput(/^\{.*\}$/m, 30_000);
    const started = JSON.parse(line) as Omit<SandboxProgram, 'dispose'>;
    return { ...started, dispose: () => program.dispose() };
  } catch (error) {
    await program.dispose();
    throw error;
  }
}
