import { CanceledWork } from '../host/prompts/progress.ts';
import { readSettings } from '../host/settings.ts';
import { reasonOf } from '../shared/log.ts';
import type { Translate } from '../shared/text.ts';
import { toFailure } from '../sync/connection/probe.ts';
import {
  type Caller,
  type CommandArguments,
  type CommandHandlers,
  type CommandName,
  isCommandName,
} from './commandArguments.ts';
import { CommentNotAdded, errorMessageOf, showCommandError, UserFacingError } from './commandErrors.ts';
import { failureOf } from './enteredFailure.ts';
import { parseArgument, readGiven } from './givenArgument.ts';
import type { Services } from './services.ts';

/** The commands that need only their session, not the whole session list. */
const opensSession: ReadonlySet<string> = new Set(['openConversation', 'openConversationInEditor']);
/**
 * The command that doesn't wait for the start, because it runs another command, or changes rows that are already shown.
 */
const opensRow: CommandName = 'openRow';

/** Runs commands, for VS Code and for our own code. */
export class CommandRunner {
  readonly #services: Pick<Services, 'lifecycle' | 'keys' | 'log' | 't'>;
  #handlers: CommandHandlers | undefined;

  constructor(services: Pick<Services, 'lifecycle' | 'keys' | 'log' | 't'>) {
    this.#services = services;
  }

  /** Sets the handlers, which use this runner themselves. Until then, every command fails. */
  setHandlers(handlers: CommandHandlers): void {
    this.#handlers = handlers;
  }

  /**
   * Runs a command once the window's background work has started; commands that open a session or a row don't wait for
   * all of it. An error is logged and, if the user ran the command, shown; the result is then undefined. Retry runs the
   * command again, or only its part that takes what the user entered, if that part failed. If the user canceled the
   * command, nothing is shown.
   * @throws the error if the caller is a script; a failure of the disk as a UserFacingError. A CommentNotAdded is
   * thrown for every caller.
   */
  run<K extends CommandName>(name: K, argument: CommandArguments[K], caller: Caller = 'user'): Promise<unknown> {
    return this.#reporting(name, caller, () => this.#start(name, argument, caller));
  }

  /**
   * Like {@link run}, with the arguments that VS Code passed.
   * @throws the error if VS Code passed the documented object. UserFacingError if a field of that object is invalid. A
   * CommentNotAdded is thrown for every argument.
   */
  runGiven(name: string, given: readonly unknown[]): Promise<unknown> {
    const { fields, caller } = readGiven(given);
    return this.#reporting(name, caller, async () => {
      if (!isCommandName(name)) throw new Error('unknown command');
      return this.#start(name, parseArgument(name, fields, this.#services.t), caller);
    });
  }

  async #start<K extends CommandName>(name: K, argument: CommandArguments[K], caller: Caller): Promise<unknown> {
    const { lifecycle } = this.#services;
    // A list of thousands of sessions takes seconds to load.
    if (opensSession.has(name))
      await lifecycle.ensureListed(fieldOf(argument, 'sessionId'), fieldOf(argument, 'service'));
    else if (name !== opensRow) await lifecycle.ensureStarted();
    if (!this.#handlers) throw new Error('no handlers');
    return this.#handlers[name](argument, caller);
  }

  async #reporting(name: string, caller: Caller, run: () => unknown): Promise<unknown> {
    const { log, t } = this.#services;
    try {
      return await run();
    } catch (error) {
      const { cause, retry } = failureOf(error, run);
      if (caller === 'user' && cause instanceof CanceledWork) return undefined;
      log.error(`${name} failed: ${reasonOf(cause)}`);
      if (caller === 'script') throw callerError(cause, t);
      void showCommandError(cause, this.#services, () => this.#reporting(name, caller, retry));
      if (cause instanceof CommentNotAdded) throw cause;
      return undefined;
    }
  }
}

function fieldOf(argument: object, name: string): string | undefined {
  const value: unknown = new Map<string, unknown>(Object.entries(argument)).get(name);
  return typeof value === 'string' ? value : undefined;
}

/** The error for the caller of a command. Replaces the system's error for a disk failure with a readable message. */
function callerError(error: unknown, t: Translate): unknown {
  if (toFailure(error, Date.now()).kind !== 'disk') return error;
  return new UserFacingError(errorMessageOf(error, readSettings(), t), { cause: error });
}
