import * as vscode from 'vscode';
import { ContextKeySetter } from '../../host/contextKeySetter.ts';
import type { WorkspaceFile } from '../../host/files/workspacePaths.ts';
import { withCancel } from '../../host/prompts/progress.ts';
import { DelayedTask } from '../../shared/delayedTask.ts';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { inSlices } from '../../shared/slices.ts';
import { plainLine, type Translate } from '../../shared/text.ts';
import type { MessageHeader } from '../../state/store/messageHeader.ts';
import { sessionTitle } from '../../state/store/sessionFacts.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { isPrompt, turnAround } from '../../state/store/turns.ts';
import { type AgentMark, markLines, type WrittenPiece } from '../../state/work/agentMarks.ts';
import { fileChanges } from '../../state/work/fileEdits.ts';
import { literalTooltip } from '../../views/sessions/literalTooltip.ts';
import type { Services } from '../services.ts';
import type { AgentFiles } from './agentFiles.ts';
import type { ChangeFiles } from './changeFiles.ts';
import { searchedSessions } from './searchedSessions.ts';

interface MarkServices extends Pick<Services, 'store' | 'messages' | 't'> {
  readonly agentFiles: AgentFiles;
  readonly changeFiles: ChangeFiles;
}

/** The step that wrote a piece, and what the hover says about it. */
interface AgentStep {
  readonly key: SessionKey;
  readonly messageId: string;
  readonly hover: string;
}

/** The maximum number of pieces of a file. The most recent ones are kept. */
const maxPieces = 2_000;
/** The maximum number of characters in the texts of these pieces, which stay in memory while the marks are shown. */
const maxLength = 4_000_000;
const markAgainMs = 300;

/** The marks of one document. They belong to a version of its text. */
class MarkedDocument {
  readonly document: vscode.TextDocument;
  readonly #pieces: readonly WrittenPiece<AgentStep>[];
  #marks: readonly AgentMark<AgentStep>[] = [];
  #version = -1;

  constructor(document: vscode.TextDocument, pieces: readonly WrittenPiece<AgentStep>[]) {
    this.document = document;
    this.#pieces = pieces;
  }

  /** The marks for the current text of the document. */
  async marks(): Promise<readonly AgentMark<AgentStep>[]> {
    while (this.#version !== this.document.version && !this.document.isClosed) {
      const { version } = this.document;
      const marks = await inSlices(markLines(this.document.getText(), this.#pieces));
      this.#marks = marks;
      this.#version = version;
    }
    return this.#marks;
  }
}

/**
 * Marks the lines that agents wrote in a file, as far as the sessions on this machine show, in the editors of the file.
 * The marks stay until the user hides them or the document is closed. Reads nothing and listens to nothing before the
 * first marks are requested. Makes no request to a service.
 */
export class AgentMarks implements Disposable {
  readonly #services: MarkServices;
  readonly #marked = new Map<string, MarkedDocument>();
  readonly #disposables = new Disposables();
  readonly #contextKeys = new ContextKeySetter();
  readonly #again = this.#disposables.add(new DelayedTask(markAgainMs, () => void this.#draw()));
  #decoration: vscode.TextEditorDecorationType | undefined;

  constructor(services: MarkServices) {
    this.#services = services;
  }

  isShown(document: vscode.TextDocument): boolean {
    return this.#marked.has(document.uri.toString());
  }

  /**
   * Shows the marks of a document in its editors. Resolves to the number of marks, or to undefined if the user
   * canceled. If the number is 0, nothing is shown.
   */
  async show(document: vscode.TextDocument, file: WorkspaceFile): Promise<number | undefined> {
    const pieces = await this.#read(file);
    if (!pieces) return undefined;
    const marked = new MarkedDocument(document, pieces);
    const { length } = await marked.marks();
    if (length === 0 || document.isClosed) return 0;
    this.#follow();
    this.#marked.set(document.uri.toString(), marked);
    await this.#draw();
    return length;
  }

  async hide(document: vscode.TextDocument): Promise<void> {
    this.#marked.delete(document.uri.toString());
    await this.#draw();
  }

  /** The marks for the current text of a document; empty if they aren't shown. */
  async of(document: vscode.TextDocument): Promise<readonly AgentMark<AgentStep>[]> {
    return (await this.#marked.get(document.uri.toString())?.marks()) ?? [];
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** The pieces of a file that agents wrote; undefined if the user canceled. */
  #read(file: WorkspaceFile): Promise<readonly WrittenPiece<AgentStep>[] | undefined> {
    const { messages, changeFiles, t } = this.#services;
    return withCancel(t('Searching...'), async (signal, report) => {
      const pieces: WrittenPiece<AgentStep>[] = [];
      for await (const { record, headers, matcher } of searchedSessions(this.#services, file, signal, report)) {
        const { key } = record.listEntry;
        const changed = fileChanges(headers, matcher);
        const places = messages.places(key);
        const steps = new Steps(key, sessionTitle(record), headers, t);
        for (const own of changed.filter(({ isConfirmed }) => isConfirmed)) {
          for (const { messageId, change } of (await changeFiles.cachedChanges(key, own, places)) ?? []) {
            const { source, createdAt } = steps.of(messageId);
            for (const { oldText, newText } of change.pieces) pieces.push({ source, createdAt, oldText, newText });
          }
        }
      }
      return signal.aborted ? undefined : lastPieces(pieces);
    });
  }

  /** Creates the decoration and listens to the editors when the first marks are shown. */
  #follow(): void {
    if (this.#decoration) return;
    this.#decoration = this.#disposables.add(
      vscode.window.createTextEditorDecorationType({
        isWholeLine: true,
        light: { gutterIconPath: gutterIcon('#652D90') },
        dark: { gutterIconPath: gutterIcon('#B180D7') },
        gutterIconSize: 'contain',
        overviewRulerColor: new vscode.ThemeColor('charts.purple'),
        overviewRulerLane: vscode.OverviewRulerLane.Left,
      }),
    );
    const own = this.#disposables;
    own.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (this.isShown(document)) this.#again.request();
      }),
    );
    own.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => void this.#marked.delete(uri.toString())));
    own.add(vscode.window.onDidChangeVisibleTextEditors(() => void this.#draw()));
    own.add(vscode.window.onDidChangeActiveTextEditor(() => this.#setContext()));
  }

  async #draw(): Promise<void> {
    this.#setContext();
    if (!this.#decoration) return;
    for (const editor of vscode.window.visibleTextEditors) {
      const marks = await this.of(editor.document);
      // Meanwhile, the user may have hidden them.
      const shown = this.isShown(editor.document) ? marks : [];
      editor.setDecorations(this.#decoration, shown.map(decorationOf));
    }
  }

  #setContext(): void {
    const document = vscode.window.activeTextEditor?.document;
    this.#contextKeys.set('lineside.showsAgentMarks', document !== undefined && this.isShown(document));
  }
}

/**
 * A bar. An icon can't have a color of the theme, so it has VS Code's default for `charts.purple`, as in the overview
 * ruler.
 */
function gutterIcon(color: string): vscode.Uri {
  const bar = `<rect x="7" width="3" height="16" fill="${color}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16">${bar}</svg>`;
  return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`);
}

function decorationOf({ start, end, source }: AgentMark<AgentStep>): vscode.DecorationOptions {
  const range = new vscode.Range(new vscode.Position(start, 0), new vscode.Position(end - 1, 0));
  return { range, hoverMessage: literalTooltip(source.hover) };
}

/** The most recent pieces, up to the limits. */
function lastPieces(pieces: readonly WrittenPiece<AgentStep>[]): readonly WrittenPiece<AgentStep>[] {
  let length = 0;
  const sorted = pieces.toSorted((a, b) => b.createdAt - a.createdAt).slice(0, maxPieces);
  return sorted.filter(({ oldText, newText }) => (length += oldText.length + newText.length) <= maxLength);
}

/** The steps of a session, each described once. */
class Steps {
  readonly #key: SessionKey;
  readonly #title: string;
  readonly #headers: readonly MessageHeader[];
  readonly #t: Translate;
  readonly #known = new Map<string, Pick<WrittenPiece<AgentStep>, 'source' | 'createdAt'>>();

  constructor(key: SessionKey, title: string, headers: readonly MessageHeader[], t: Translate) {
    this.#key = key;
    this.#title = title;
    this.#headers = headers;
    this.#t = t;
  }

  of(messageId: string): Pick<WrittenPiece<AgentStep>, 'source' | 'createdAt'> {
    const known = this.#known.get(messageId) ?? this.#describe(messageId);
    this.#known.set(messageId, known);
    return known;
  }

  #describe(messageId: string): Pick<WrittenPiece<AgentStep>, 'source' | 'createdAt'> {
    const t = this.#t;
    const turn = turnAround(this.#headers, messageId);
    const prompt = turn && this.#headers[turn.start];
    const createdAt = this.#headers.find((header) => header.messageId === messageId)?.createdAt ?? 0;
    const lines = [
      plainLine(this.#title, 120),
      prompt && isPrompt(prompt) ? plainLine(prompt.firstLine, 120) : '',
      t('Written by the agent: {0}', t.formats.dateTime(createdAt)),
    ];
    const hover = lines.filter((line) => line !== '').join('\n');
    return { source: { key: this.#key, messageId, hover }, createdAt };
  }
}
