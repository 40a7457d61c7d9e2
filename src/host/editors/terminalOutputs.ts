import * as vscode from 'vscode';
import type { Disposable } from '../../shared/lifecycle.ts';
import { plainTerminalText } from '../../shared/text/terminalText.ts';

/** The maximum number of UTF-16 code units that are kept for each terminal (1 MB). */
const maxLength = 500_000;

/**
 * Output whose beginning was discarded usually starts inside a line, and maybe inside a control sequence. The rest of
 * that line is removed, unless it is longer than this many code units.
 */
const longestPartialLine = 4_000;

/** The last command of a terminal, as far as it was recorded. */
export interface TerminalCommand {
  readonly terminalName: string;
  /** The command line, as VS Code detected it. Untrusted. */
  readonly commandLine: string;
  /** Undefined while the command is running, or if the shell doesn't report it. */
  readonly exitCode: number | undefined;
  readonly isRunning: boolean;
  /** The output without control sequences. */
  readonly output: string;
  /** Whether the beginning of the output was discarded, because the output was too long. */
  readonly isCut: boolean;
}

/** The recorded commands, for reading. */
export type TerminalCommands = Pick<TerminalOutputs, 'isEnabled' | 'hasCommands' | 'commands'>;

/** The output of one command: its last pieces, with at most {@link maxLength} code units. */
class Recording {
  readonly #terminal: vscode.Terminal;
  readonly #execution: vscode.TerminalShellExecution;
  #pieces: string[] = [];
  /** The index of the first piece that is kept. */
  #first = 0;
  #length = 0;
  #isCut = false;
  #isRunning = true;
  #exitCode: number | undefined;

  constructor({ terminal, execution }: vscode.TerminalShellExecutionStartEvent) {
    this.#terminal = terminal;
    this.#execution = execution;
  }

  isOf(execution: vscode.TerminalShellExecution): boolean {
    return this.#execution === execution;
  }

  /** Adds the output until the command ends or `isWanted` returns false. Never rejects. */
  async read(isWanted: () => boolean): Promise<void> {
    try {
      for await (const piece of this.#execution.read()) {
        if (!isWanted()) return;
        this.#add(piece);
      }
    } catch {
      // The terminal was closed. What was read so far is still its output.
    }
  }

  end(exitCode: number | undefined): void {
    this.#isRunning = false;
    this.#exitCode = exitCode;
  }

  describe(): TerminalCommand {
    return {
      terminalName: this.#terminal.name,
      commandLine: this.#execution.commandLine.value,
      exitCode: this.#exitCode,
      isRunning: this.#isRunning,
      output: plainTerminalText(this.#output),
      isCut: this.#isCut,
    };
  }

  /**
   * The recorded output. If its beginning is missing, it starts with a whole line, unless the rest of the partial line
   * is very long.
   */
  get #output(): string {
    const text = this.#pieces.slice(this.#first).join('');
    const end = this.#isCut ? text.slice(0, longestPartialLine).indexOf('\n') : -1;
    return text.slice(end + 1);
  }

  #add(piece: string): void {
    const kept = piece.slice(-maxLength);
    this.#pieces.push(kept);
    this.#length += kept.length;
    while (this.#length > maxLength) {
      this.#length -= this.#pieces[this.#first]?.length ?? 0;
      this.#pieces[this.#first++] = '';
      this.#isCut = true;
    }
    if (kept.length < piece.length) this.#isCut = true;
    // Pieces can be single characters, so removing them one by one would be slow.
    if (this.#first < this.#pieces.length / 2) return;
    this.#pieces = this.#pieces.slice(this.#first);
    this.#first = 0;
  }
}

/**
 * Keeps the output of the last command of each terminal in memory, until the next command starts or the terminal is
 * closed, while `isEnabled` returns true. Shell integration reports the commands.
 */
export class TerminalOutputs implements Disposable {
  readonly #isEnabled: () => boolean;
  readonly #recordings = new Map<vscode.Terminal, Recording>();
  readonly #settingsListener: Disposable;
  #listeners: Disposable | undefined;

  constructor(isEnabled: () => boolean) {
    this.#isEnabled = isEnabled;
    this.#settingsListener = vscode.workspace.onDidChangeConfiguration(() => this.#follow());
    this.#follow();
  }

  /** Whether the user turned recording on. */
  get isEnabled(): boolean {
    return this.#isEnabled();
  }

  /** The last command of each terminal that ran one, the most recent first. */
  commands(): TerminalCommand[] {
    return [...this.#recordings.values()].map((recording) => recording.describe()).reverse();
  }

  /** Whether there is a recorded command. */
  get hasCommands(): boolean {
    return this.#recordings.size > 0;
  }

  dispose(): void {
    this.#settingsListener.dispose();
    this.#stop();
  }

  #follow(): void {
    if (!this.#isEnabled()) this.#stop();
    else this.#listeners ??= this.#listen();
  }

  #stop(): void {
    this.#listeners?.dispose();
    this.#listeners = undefined;
    this.#recordings.clear();
  }

  #listen(): Disposable {
    return vscode.Disposable.from(
      vscode.window.onDidStartTerminalShellExecution((event) => this.#record(event)),
      vscode.window.onDidEndTerminalShellExecution(({ terminal, execution, exitCode }) => {
        const recording = this.#recordings.get(terminal);
        if (recording?.isOf(execution)) recording.end(exitCode);
      }),
      vscode.window.onDidCloseTerminal((terminal) => this.#recordings.delete(terminal)),
    );
  }

  #record(event: vscode.TerminalShellExecutionStartEvent): void {
    const recording = new Recording(event);
    // Move the terminal to the end of the map, whose order is that of the commands.
    this.#recordings.delete(event.terminal);
    this.#recordings.set(event.terminal, recording);
    void recording.read(() => this.#recordings.get(event.terminal) === recording);
  }
}
