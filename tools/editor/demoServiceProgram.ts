import { join } from 'node:path';
import { repositoryFolder } from './install/cache.ts';
import { startProgram } from './run/programs.ts';

/** The demo service, running as a separate program. */
export interface DemoServiceProgram {
  readonly baseUrl: string;
  readonly token: string;
  readonly sessionIds: readonly string[];
  dispose(): Promise<void>;
}

/**
 * Starts `dist/demoService.js`, which must be built already, with these arguments (see its `--help`). `name` becomes
 * the name of its process. Rejects with its output if it doesn't start.
 */
export async function startDemoServiceProgram(
  args: readonly string[] = [],
  name = 'lineside-demo-service',
): Promise<DemoServiceProgram> {
  const file = join(repositoryFolder, 'dist', 'demoService.js');
  const program = startProgram(process.execPath, [`--title=${name}`, file, ...args]);
  try {
    const [line] = await program.waitForOutput(/^\{.*\}$/m, 30_000);
    const started = JSON.parse(line) as Omit<DemoServiceProgram, 'dispose'>;
    return { ...started, dispose: () => program.dispose() };
  } catch (error) {
    await program.dispose();
    throw error;
  }
}
