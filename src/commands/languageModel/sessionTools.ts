import * as vscode from 'vscode';
import type { FileSource } from '../../host/readOnlyFiles/readOnlyFileSystem.ts';
import type { CommandContext } from '../context.ts';
import { CallLimit } from './callLimit.ts';
import { Consent } from './consent.ts';
import { ReadingTools } from './readingTools.ts';
import { checked, type Tool } from './toolCall.ts';
import { type ToolName, toolInputs } from './toolInputs.ts';
import { WritingTools } from './writingTools.ts';

const callsPerMinute = 30;

/**
 * The language model tools: what an agent in VS Code may ask of Lineside. Any extension can call them, so each call is
 * checked here. Results and errors are for a model and therefore in English; questions to the user are translated.
 */
export class SessionTools {
  readonly #lifecycle: CommandContext['lifecycle'];
  readonly #consent: Consent;
  readonly #calls = new CallLimit(callsPerMinute);
  readonly #tools: Readonly<Record<ToolName, Tool>>;

  constructor(context: CommandContext) {
    this.#lifecycle = context.lifecycle;
    this.#consent = new Consent(context);
    const reading = new ReadingTools(context, this.#consent);
    const writing = new WritingTools(context, this.#consent);
    this.#tools = {
      lineside_list_sessions: checked(toolInputs.lineside_list_sessions, (...call) => reading.listSessions(...call)),
      lineside_read_session: checked(toolInputs.lineside_read_session, (...call) => reading.readSession(...call)),
      lineside_find_in_sessions: checked(toolInputs.lineside_find_in_sessions, (...call) =>
        reading.findInSessions(...call),
      ),
      lineside_get_usage: checked(toolInputs.lineside_get_usage, (...call) => reading.getUsage(...call)),
      lineside_draft_message: checked(toolInputs.lineside_draft_message, (input) => writing.draftMessage(input)),
      lineside_send_message: checked(toolInputs.lineside_send_message, (...call) => writing.sendMessage(...call)),
    };
  }

  /** The messages that the user is asked about, as read-only files. */
  get files(): FileSource {
    return this.#consent.files;
  }

  /**
   * Runs a tool and resolves to its result.
   * @throws Error with a sentence for the model if the workspace isn't trusted, the input doesn't match its schema,
   * there were too many calls, the user declined, or the tool failed.
   */
  async invoke(
    name: string,
    { input, tokenizationOptions }: vscode.LanguageModelToolInvocationOptions<unknown>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    if (!vscode.workspace.isTrusted) throw new Error('The user does not trust this workspace, so this tool is off.');
    if (!this.#calls.take()) throw new Error('Too many calls. Wait a minute before you call Lineside again.');
    await this.#lifecycle.ensureStarted();
    const tool = new Map(Object.entries(this.#tools)).get(name);
    if (!tool) throw new Error('There is no such tool.');
    const text = await tool(input, { limits: tokenizationOptions, token });
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
  }
}
