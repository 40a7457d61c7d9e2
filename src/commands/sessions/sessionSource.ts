import * as vscode from 'vscode';
import { type ProgramOutput, readProgramOutput } from '../../host/programOutput.ts';
import { showInfo } from '../../host/prompts/notify.ts';
import { pickRows } from '../../host/prompts/picker.ts';
import { withCancel } from '../../host/prompts/progress.ts';
import { settings } from '../../host/settings.ts';
import { defined } from '../../shared/defined.ts';
import { plainLine, type Translate } from '../../shared/text.ts';
import { describeTemplateFailure } from '../../state/presentation/describeTemplateFailure.ts';
import { maxSourceItems, readSourceOutput, type SourceSession } from '../../state/sessions/sourceOutput.ts';
import { serviceOf } from '../../state/store/connection.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { fillCommand, type FilledCommand } from '../../state/templates/commandTemplate.ts';
import type { CommandHandlers } from '../commandArguments.ts';
import type { CommandContext } from '../context.ts';
import { NothingToDoError, ProgramError, UserFacingError } from '../commandErrors.ts';
import { refreshAll } from './refreshAll.ts';
import { isApproved, printedCommand } from './templateApproval.ts';

const commandSetting = 'lineside.sessionSource.command';
/** The maximum number of sessions in the list that the user selects from. */
const maxRows = 500;

/** A session that the command listed, and whether it can be added to the session list. */
export interface FoundSession {
  readonly key: SessionKey;
  readonly found: SourceSession;
  /** `removed` if the user removed it from the list, `foreign` if its service isn't connected. */
  readonly state: 'new' | 'listed' | 'removed' | 'foreign';
}

/** The command that adds sessions from the output of the user's own program. */
export function sourceCommands(context: CommandContext) {
  const source = new SessionSource(context);
  return { addSessionsFromCommand: () => source.add() } satisfies Partial<CommandHandlers>;
}

type SourceContext = Pick<
  CommandContext,
  'connections' | 'lifecycle' | 'sessionList' | 'sessions' | 'store' | 't' | 'templateApprovals'
>;

/**
 * Lists sessions with the program in the settings: without a shell, never in Restricted Mode, and only after the user
 * approved the exact command on this machine. Its output is untrusted: it can name sessions, and only the user adds
 * them.
 */
export class SessionSource {
  readonly #context: SourceContext;

  constructor(context: SourceContext) {
    this.#context = context;
  }

  /**
   * Runs the program if the user approved it or approves it now, shows what it lists, and adds the sessions that the
   * user selects.
   * @throws UserFacingError if it must not or can't be run, or lists no new sessions.
   */
  async add(): Promise<void> {
    const { lifecycle, t } = this.#context;
    await lifecycle.ensureStarted();
    if (!vscode.workspace.isTrusted) {
      throw new NothingToDoError(t("This command isn't available in Restricted Mode. Trust the workspace to use it."));
    }
    const template = settings.sourceCommand.read();
    if (template.length === 0) throw new NothingToDoError(t('To use this command, set "{0}" first.', commandSetting));
    this.#requireOrigin();
    const filled = fillCommand(template, {});
    if ('failure' in filled) throw new UserFacingError(describeTemplateFailure(filled.failure, commandSetting, t));
    const question = t('Run this command to find sessions?');
    const isAllowed = await isApproved(
      this.#context,
      commandSetting,
      JSON.stringify(template),
      question,
      printedCommand(filled),
      t('Run'),
    );
    if (!isAllowed) return;
    const output = await withCancel(t('Finding sessions...'), (signal) => this.#run(filled, signal));
    if (output) await this.offer(this.#locate(output.sessions), describeRest(output, t));
  }

  /**
   * Whether the program may run without a question: never in Restricted Mode, without an approval, or without a
   * service.
   */
  get mayRun(): boolean {
    return this.#approvedCommand !== undefined;
  }

  /**
   * The sessions that the program lists; undefined if it may not run (see {@link mayRun}), or if the signal was
   * aborted.
   * @throws UserFacingError if the program fails, or if its output can't be read.
   */
  async find(signal: AbortSignal): Promise<readonly FoundSession[] | undefined> {
    await this.#context.sessionList.settled();
    const filled = this.#approvedCommand;
    if (!filled) return undefined;
    const output = await this.#run(filled, signal);
    return output && this.#locate(output.sessions);
  }

  /**
   * Shows sessions, which may have been found some time ago, in a list with the new ones selected. Adds those that the
   * user confirms. `more` contains sentences to show above the list.
   * @throws NothingToDoError if all of the sessions are in the session list.
   */
  async offer(earlier: readonly FoundSession[], more: readonly string[] = []): Promise<void> {
    const { t } = this.#context;
    const found = earlier.map((session) => ({ ...session, state: this.#stateOf(session.key) }));
    const shown = found.filter(({ state }) => state !== 'listed');
    const listedCount = found.length - shown.length;
    const notes = [
      ...(listedCount > 0
        ? [t({ one: '1 is already in your list.', other: '{0} are already in your list.' }, listedCount)]
        : []),
      ...(shown.length > maxRows ? [t('Showing the first {0} of {1}.', maxRows, shown.length)] : []),
      ...more,
    ];
    if (shown.length === 0) throw new NothingToDoError([t('No new sessions.'), ...notes].join(' '));
    const rows = this.#rows(shown.slice(0, maxRows));
    const chosen = await pickRows(rows, {
      title: t('Add Sessions from Command'),
      // VS Code shows the number of selected rows over the end of a long placeholder.
      placeHolder: notes.length > 0 ? notes.join(' ') : t('Select sessions to add'),
      matchOnDescription: true,
      ignoreFocusOut: true,
    });
    await this.#addAll(chosen?.flatMap(({ session }) => (session ? [session] : [])) ?? []);
  }

  get #approvedCommand(): FilledCommand | undefined {
    const { store, templateApprovals } = this.#context;
    const template = settings.sourceCommand.read();
    if (!vscode.workspace.isTrusted || !serviceOf(store.connection)) return undefined;
    if (!templateApprovals.isApproved(commandSetting, JSON.stringify(template))) return undefined;
    const filled = fillCommand(template, {});
    return 'failure' in filled ? undefined : filled;
  }

  /**
   * Resolves to undefined if the signal was aborted.
   * @throws UserFacingError if the program fails, or if its output can't be read or has only invalid lines or items. An
   * empty output is valid.
   */
  async #run({ program, args }: FilledCommand, signal: AbortSignal) {
    const output = await readProgramOutput(program, args, signal);
    if (output.kind === 'aborted') return undefined;
    const { t } = this.#context;
    if (output.kind !== 'text') throw programError(output, t);
    const read = readSourceOutput(output.text);
    if (read.sessions.length > 0 || read.invalidCount === 0) return read;
    throw new UserFacingError(
      t('The output of "{0}" contains no session IDs or URLs. Nothing was added.', commandSetting),
    );
  }

  #locate(sessions: readonly SourceSession[]): FoundSession[] {
    const current = this.#requireOrigin();
    return sessions.map((found) => {
      const key = { origin: found.origin ?? current, sessionId: found.sessionId };
      return { key, found, state: this.#stateOf(key) };
    });
  }

  #stateOf(key: SessionKey): FoundSession['state'] {
    const { sessionList, store } = this.#context;
    const presence = sessionList.presenceOf(key);
    if (presence === 'listed') return presence;
    return store.connectionOf(key.origin).kind === 'noService' ? 'foreign' : (presence ?? 'new');
  }

  #rows(shown: readonly FoundSession[]) {
    const { t } = this.#context;
    const headings = {
      new: t('New'),
      removed: t('Previously removed from your list'),
      foreign: t("On services that aren't connected"),
    };
    return (['new', 'removed', 'foreign'] as const).flatMap((state) => {
      const rows = shown.filter((one) => one.state === state).map((session) => this.#row(session));
      const heading = { label: headings[state], kind: vscode.QuickPickItemKind.Separator, session: undefined };
      return rows.length === 0 ? [] : [heading, ...rows];
    });
  }

  #row(session: FoundSession) {
    const { connections, store } = this.#context;
    const { key, found, state } = session;
    const id = plainLine(key.sessionId, 120);
    const title = plainLine(found.title ?? '', 120);
    const isCurrent = key.origin === serviceOf(store.connection)?.origin;
    const service = connections.known.services.find(({ origin }) => origin === key.origin)?.name ?? key.origin;
    const details = [...(title === '' ? [] : [id]), ...(isCurrent ? [] : [plainLine(service, 120)])];
    return { label: title === '' ? id : title, description: details.join(' · '), picked: state === 'new', session };
  }

  async #addAll(chosen: readonly FoundSession[]): Promise<void> {
    const { sessionList, sessions, store, t } = this.#context;
    const added = chosen.filter(({ state }) => state !== 'foreign');
    for (const { key, found } of added) await sessionList.add(key, defined({ computerId: found.computerId }));
    const foreign = chosen.find(({ state }) => state === 'foreign');
    if (foreign) {
      void showInfo(
        t(
          {
            one: 'Skipped 1 session on {1}. Connect to that service first.',
            other: 'Skipped {0} sessions, for example on {1}. Connect to that service first.',
          },
          chosen.length - added.length,
          foreign.key.origin,
        ),
      );
    }
    void refreshAll(
      sessions,
      added.map(({ key }) => key).filter(({ origin }) => store.connectionOf(origin).kind !== 'noService'),
    );
  }

  #requireOrigin(): string {
    const { store, t } = this.#context;
    const origin = serviceOf(store.connection)?.origin;
    if (origin === undefined) throw new NothingToDoError(t('Connect to a service before you add sessions.'));
    return origin;
  }
}

/** Describes what is missing from the list, in sentences. */
function describeRest({ invalidCount, isCut }: ReturnType<typeof readSourceOutput>, t: Translate): string[] {
  return [
    ...(invalidCount > 0
      ? [t({ one: '1 line has no valid ID or URL.', other: '{0} lines have no valid ID or URL.' }, invalidCount)]
      : []),
    ...(isCut ? [t('Only the first {0} lines were read.', maxSourceItems)] : []),
  ];
}

function programError(output: Exclude<ProgramOutput, { kind: 'text' | 'aborted' }>, t: Translate): ProgramError {
  const line = output.kind === 'failed' ? plainLine(output.lastLine, 200) : '';
  return new ProgramError(describeProgramFailure(output, t), line === '' ? '' : t('Error output: {0}', line));
}

function describeProgramFailure(output: Exclude<ProgramOutput, { kind: 'text' | 'aborted' }>, t: Translate): string {
  const nothing = t('Nothing was added.');
  switch (output.kind) {
    case 'batchFile':
      return `${t('"{0}" can\'t run .cmd and .bat files, because they need a shell. Set a program, for example "node" with the path of a script.', commandSetting)} ${nothing}`;
    case 'notStarted':
      return `${t('The program in "{0}" couldn\'t be started ({1}).', commandSetting, plainLine(output.code, 40))} ${nothing}`;
    case 'failed':
      return `${t('The program in "{0}" failed with exit code {1}.', commandSetting, String(output.code))} ${nothing}`;
    case 'timeout':
      return `${t('The program in "{0}" didn\'t end within 30 seconds and was stopped.', commandSetting)} ${nothing}`;
    case 'tooLarge':
      return `${t('The program in "{0}" wrote more than 512 KB and was stopped.', commandSetting)} ${nothing}`;
    case 'notUtf8':
      return `${t('The output of "{0}" isn\'t valid UTF-8 text.', commandSetting)} ${nothing}`;
  }
}
