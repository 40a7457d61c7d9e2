import * as vscode from 'vscode';
import type { Disposable } from '../shared/lifecycle.ts';
import type { Log } from '../shared/log.ts';
import { redactingLog } from '../shared/redactingLog.ts';

/** The output channel "Lineside" as a {@link Log}. Keys and likely secrets are redacted (R37). */
export interface EditorLog extends Log, Disposable {
  show(): void;
}

/**
 * Creates the output channel, in which the strings that `secrets` returns are redacted. "Developer: Set Log Level"
 * controls which lines it shows.
 */
export function openEditorLog(secrets: () => readonly string[]): EditorLog {
  const channel = vscode.window.createOutputChannel('Lineside', { log: true });
  const redacting = redactingLog(
    {
      trace: (line) => channel.trace(line),
      debug: (line) => channel.debug(line),
      info: (line) => channel.info(line),
      warn: (line) => channel.warn(line),
      error: (line) => channel.error(line),
    },
    secrets,
  );
  const shows = (level: vscode.LogLevel) => channel.logLevel !== vscode.LogLevel.Off && channel.logLevel <= level;
  return {
    ...redacting,
    // These lines are frequent and usually not shown, and redacting them takes time.
    trace: (line) => (shows(vscode.LogLevel.Trace) ? redacting.trace(line) : undefined),
    debug: (line) => (shows(vscode.LogLevel.Debug) ? redacting.debug(line) : undefined),
    show: () => channel.show(),
    dispose: () => channel.dispose(),
  };
}
