import { helpText, readCommandLine, type DemoService, type DemoServiceOptions } from './options.ts';

const usageError = 2;

/**
 * Runs the service as a command-line program. Prints one line of JSON with its base URL, token, and session IDs, and
 * stops on SIGINT or SIGTERM. Exits with code 2 for invalid options and with code 1 if the service can't start, for
 * example because the port isn't available, each with an error message.
 */
export async function runAsProgram(
  args: readonly string[],
  start: (options: Partial<DemoServiceOptions>) => Promise<DemoService>,
): Promise<void> {
  const commandLine = readCommandLine(args);
  switch (commandLine.kind) {
    case 'help':
      process.stdout.write(helpText);
      return;
    case 'invalid':
      process.stderr.write(`${commandLine.reason} See --help.\n`);
      process.exitCode = usageError;
      return;
    case 'start':
      return run(() => start(commandLine.options));
  }
}

async function run(start: () => Promise<DemoService>): Promise<void> {
  try {
    const demoService = await start();
    const { baseUrl, token, sessionIds } = demoService;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void demoService.dispose());
    process.stdout.write(`${JSON.stringify({ baseUrl, token, sessionIds })}\n`);
  } catch (error) {
    process.stderr.write(`Couldn't start the service: ${error instanceof Error ? error.message : String(error)}.\n`);
    process.exitCode = 1;
  }
}
