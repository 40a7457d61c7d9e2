import * as z from 'zod/mini';
import type { NamedCall } from './namedCall.ts';
import { patchCommand } from './patches.ts';
import type { ToolCall } from './toolCall.ts';

const maxParts = 1_000;

const commandSchema = z.union([
  z.string().check(z.refine((command) => command.trim() !== '')),
  z.array(z.string()).check(z.minLength(1), z.maxLength(maxParts)),
]);
const runs =
  /\b(bash|sh|zsh|shell|exec|execute|run|terminal|cmd|command|process|powershell|pwsh|console|test|tests|build|lint|script)\b/;
/** Tools whose `command` isn't one of a shell. */
const otherCommands = /\b(sql|query|database|redis|browser|todo|tracker|memory|editor|slash|skill|completion|vscode)\b/;

/** A command as text or as an argument vector: every agent. One that applies a patch is a change of files. */
export function execution(call: NamedCall): ToolCall | undefined {
  const { data } = commandSchema.safeParse(call.fields.command);
  if (data === undefined || call.isNamed(otherCommands)) return undefined;
  const command = typeof data === 'string' ? data : shellText(data);
  if (!call.isNamed(runs) && !/\S\s+\S/.test(command.slice(0, 2_000))) return undefined;
  return patchCommand(command) ?? { kind: 'execute', command };
}

/** The script of `bash -lc script` and its like, otherwise the parts of the command in one line. */
function shellText(parts: readonly string[]): string {
  const [shell = '', flag = '', script] = parts;
  const isShell = /(^|[/\\])(ba|z|da|fi)?sh$|(^|[/\\])(pwsh|powershell|cmd)(\.exe)?$/i.test(shell.slice(-100));
  if (isShell && parts.length === 3 && script !== undefined && /^(-\w*c|-command|\/c)$/i.test(flag)) return script;
  // The patch is an argument of its own: a line break keeps its first line recognizable.
  if (/^apply_?patch$/.test(shell)) return parts.join('\n');
  return parts.map((part) => (/^[\w@%+=:,./-]+$/.test(part) ? part : `'${part.replaceAll("'", "'\\''")}'`)).join(' ');
}
