import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import type { Log } from '../../shared/log.ts';
import { type NotifierCommand, notifierCommand, type SystemNotification } from './notifierCommand.ts';

/** A program that is still running after this time is terminated. */
const timeoutMs = 20_000;

/** Shows notifications of the operating system, with the program that the system provides for them. */
export class SystemNotifier {
  readonly #log: Log;
  #hasFailed = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /**
   * Shows a notification. Resolves when the program has ended. Never rejects: the first failure is logged, without the
   * text (R37), and the others are ignored.
   */
  async show(notification: SystemNotification): Promise<void> {
    const command = notifierCommand(process.platform, notification, process.env['SystemRoot']);
    const failure = command ? await failureOfRun(command) : 'not supported on this platform';
    if (failure === undefined || this.#hasFailed) return;
    this.#hasFailed = true;
    this.#log.warn(`couldn't show a system notification: ${failure}`);
  }
}

/** Runs a program until it ends. Resolves to why it couldn't be started or failed; undefined if it succeeded. */
async function failureOfRun({ program, args, environment }: NotifierCommand): Promise<string | undefined> {
  try {
    // Not in the workspace, which could contain a program or a configuration for it.
    const own = { cwd: homedir(), env: { ...process.env, ...environment } };
    const child = spawn(program, args, {
      ...own,
      stdio: 'ignore',
      shell: false,
      windowsHide: true,
      timeout: timeoutMs,
    });
    child.unref();
    await once(child, 'exit');
    return child.exitCode === 0 ? undefined : `${program} ended with code ${child.exitCode ?? child.signalCode ?? ''}`;
  } catch (error) {
    // The message of an error can contain the text of the notification.
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return `${program}: ${code}`;
  }
}
