import * as vscode from 'vscode';
import { argumentOf } from '../commands/commandArguments.ts';
import type { CommandContext } from '../commands/context.ts';
import { SessionTools } from '../commands/languageModel/sessionTools.ts';
import { FinishedNotifications } from '../commands/notices/finishedNotifications.ts';
import { notifyOfRejectedKey, notifyOfUnusableServices } from '../commands/notices/serviceNotices.ts';
import { notifyOfUndecidedMessages } from '../commands/notices/undecided.ts';
import { PageRequests } from '../commands/page/pageRequests.ts';
import { LinkFollower } from '../commands/sessions/linkCommands.ts';
import { OfferedSessions } from '../commands/sessions/offeredSessions.ts';
import { SourceTimer } from '../commands/sessions/sourceTimer.ts';
import { SessionTerminalLinks } from '../commands/sessions/sessionTerminalLinks.ts';
import { fileSchemes } from '../host/readOnlyFiles/readOnlyFileSystem.ts';
import type { Disposables } from '../shared/lifecycle.ts';
import type { TreeRow } from '../state/sessions/sessionTree.ts';
import { AccessibilityHelp } from '../views/documents/accessibilityHelp.ts';
import { DocumentComments } from '../views/documents/documentComments.ts';
import { DocumentLinks } from '../views/documents/documentLinks.ts';
import { diagramFiles } from '../views/documents/diagramDocuments.ts';
import type { PageResources } from '../views/conversation/pageResources.ts';
import type { ViewProviders } from '../views/lazyViewRegistrations.ts';
import { SessionDrop } from '../views/sessions/sessionDrop.ts';
import { Views } from '../views/views.ts';
import { commandTable } from './commandTable.ts';
import { rememberCurrent } from './currentSession.ts';
import { createServices } from './services.ts';

export interface AppOptions {
  readonly context: vscode.ExtensionContext;
  /** The folder that contains all records. */
  readonly dataFolder: string;
  /** The Sessions tree, as registered at activation. */
  readonly treeView: vscode.TreeView<TreeRow>;
  readonly resources: PageResources;
  /** Disposes everything that the app creates. */
  readonly own: Disposables;
}

/** The implementation of the views, commands, tools, and links that are registered on activation. */
export class App {
  readonly viewProviders: ViewProviders;
  readonly #links: LinkFollower;
  readonly #tools: SessionTools;
  readonly #context: CommandContext;

  constructor(context: CommandContext, tools: SessionTools, viewProviders: ViewProviders, links: LinkFollower) {
    this.#tools = tools;
    this.viewProviders = viewProviders;
    this.#context = context;
    this.#links = links;
  }

  /** Runs a command with the arguments that VS Code passed. `name` is the command ID without the prefix `lineside.`. */
  runCommand(name: string, given: readonly unknown[]): Promise<unknown> {
    return this.#context.commands.runGiven(name, given);
  }

  /** Follows a link to a session or message. Never rejects. */
  followLink(uri: vscode.Uri): Promise<void> {
    return this.#links.follow(uri);
  }

  /**
   * Runs a language model tool.
   * @throws Error with a sentence for the model.
   */
  invokeTool(...call: Parameters<SessionTools['invoke']>): Promise<vscode.LanguageModelToolResult> {
    return this.#tools.invoke(...call);
  }

  /**
   * Starts background work if the last window left sessions in the list or messages in the outbox. If there is a
   * development service, always starts, and shows its first session.
   */
  resumeIfNeeded(): Promise<void> {
    return this.#context.lifecycle.resumeIfNeeded(this.#context.navigation);
  }

  /** Writes all unsaved data to disk and stops background work. */
  shutdown(): Promise<void> {
    return this.#context.lifecycle.shutdown();
  }
}

/** Creates the window's services, views, and commands. Reads nothing from the data folder until the data is needed. */
export function createApp({ context: extension, dataFolder, treeView, resources, own }: AppOptions): App {
  const services = createServices(extension, dataFolder, own);
  const pageRequests = new PageRequests(services);
  const views = own.add(new Views(services, treeView, resources, pageRequests));
  const { store, documents, drafts, t } = services;
  const documentComments = own.add(new DocumentComments(store, documents, drafts, t));
  own.add(new DocumentLinks(services.agentFiles));
  const context: CommandContext = { ...services, navigation: views.navigation, documentComments };
  context.commands.setHandlers(commandTable(context));
  own.add(rememberCurrent(services.store, extension.workspaceState, services.sessionList));
  own.add(new FinishedNotifications(context));
  own.add(new SourceTimer(context, new OfferedSessions(extension.globalState)));
  own.add(notifyOfUndecidedMessages(context));
  own.add(notifyOfRejectedKey(context));
  own.add(notifyOfUnusableServices(context));
  const tools = new SessionTools(context);
  const { sessions, conversation, editors, usage } = views;
  const files = {
    [fileSchemes.conversation]: services.documents,
    [fileSchemes.catchUp]: services.catchUp,
    [fileSchemes.message]: services.messageFiles.files,
    [fileSchemes.attachment]: services.attachmentPreview.files,
    [fileSchemes.change]: services.changeFiles.files,
    [fileSchemes.compare]: services.comparisons.files,
    [fileSchemes.diagram]: diagramFiles(),
    [fileSchemes.help]: new AccessibilityHelp(extension, services.t),
    [fileSchemes.question]: tools.files,
  };
  const drop = new SessionDrop({
    attach: (key, uris) => context.commands.run('attachFile', { ...argumentOf(key), uris }),
    addSessions: (dropped) => context.commands.run('addSession', { dropped: [...dropped] }),
  });
  const links = new LinkFollower(context);
  own.add(vscode.window.registerTerminalLinkProvider(new SessionTerminalLinks(context, links)));
  return new App(context, tools, { sessions, conversation, editors, usage, files, drop }, links);
}
