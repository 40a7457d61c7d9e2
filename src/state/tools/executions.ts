import * as z from 'zod/mini';
import { defined } from '../../shared/defined.ts';
import type { NamedCall } from './namedCall.ts';
import { patchCommand } from './patches.ts';
import { pathSchema } from './pathSchema.ts';
import type { ToolCall } from './toolCall.ts';

const maxParts = 1_000;

const commandSchema = z.union([
  z.string().check(z.refine((command) => command.trim() !== '')),
  z.array(z.string()).check(z.minLength(1), z.maxLength(maxParts)),
]);
const runs =
  /\b(bash|sh|zsh|shell|exec|execute|run|terminal|cmd|commands?|process|powershell|pwsh|console|test|tests|build|lint|script)\b/;
/** Tools whose `command` isn't a shell command. */
const otherCommands = /\b(sql|query|database|redis|browser|todo|tracker|memory|editor|slash|skill|completion|vscode)\b/;

/**
 * Recognizes a command of any agent, as text or as an argument vector; undefined for other calls. A command that
 * applies a patch is a change of files.
 */
export function execution(call: NamedCall): ToolCall | undefined {
  const command = commandIn(call);
  if (command === undefined || call.isNamed(otherCommands)) return undefined;
  if (!call.isNamed(runs) && !/\S\s+\S/.test(command.slice(0, 2_000))) return undefined;
  const folder = pathSchema.safeParse(call.fields.workingFolder).data;
  const changes = patchCommand(command);
  return changes
    ? { ...changes, ...defined({ folder: enteredFolder(command, folder) }) }
    : { kind: 'execute', command, ...defined({ folder }) };
}

/** The folder in which a command continues after a `cd` at its start, or `folder` if it doesn't begin with one. */
function enteredFolder(command: string, folder: string | undefined): string | undefined {
  const [, , entered] = /^\s{0,9}cd (["']?)([^"'\s;&|]{1,1000})\1\s{0,9}(?:&&|;|\n)/.exec(command) ?? [];
  if (entered === undefined || folder === undefined || /^(?:[\\/~$]|[A-Za-z]:)/.test(entered)) return entered ?? folder;
  return `${folder}/${entered}`;
}

const partsSchema = z.array(z.string()).check(z.maxLength(maxParts));
/** Each command is a text, or a program and its arguments. */
const severalCommands = z
  .array(z.union([z.string(), z.object({ command: z.string(), args: z.optional(partsSchema) })]))
  .check(z.minLength(1), z.maxLength(maxParts));

/** The command of a call. Several commands (Cline) are joined, each on a line of its own. */
function commandIn({ fields, text, words }: NamedCall): string | undefined {
  const own = fields.command ?? (words === 'run commands' ? text : undefined);
  const data = own === undefined ? undefined : commandSchema.safeParse(own).data;
  if (data !== undefined) {
    const parts = typeof data === 'string' ? partsSchema.safeParse(fields.commandArguments).data : undefined;
    if (typeof data !== 'string') return shellText(data);
    return parts === undefined || parts.length === 0 ? data : shellText([data, ...parts]);
  }
  if (fields.commands === undefined) return undefined;
  const list = typeof fields.commands === 'string' ? [fields.commands] : fields.commands;
  const commands = severalCommands.safeParse(list).data?.map((each) => {
    return typeof each === 'string' ? each : shellText([each.command, ...(each.args ?? [])]);
  });
  const joined = commands?.join('\n') ?? '';
  return joined.trim() === '' ? undefined : joined;
}

/** The script of `bash -lc script` and similar commands, otherwise the parts of the command on one line. */
function shellText(parts: readonly string[]): string {
  const [shell = '', flag = '', script] = parts;
  const isShell = /(^|[/\\])(ba|z|da|fi)?sh$|(^|[/\\])(pwsh|powershell|cmd)(\.exe)?$/i.test(shell.slice(-100));
  if (isShell && parts.length === 3 && script !== undefined && /^(-\w*c|-command|\/c)$/i.test(flag)) return script;
  // The patch is an argument of its own: a line break keeps its first line recognizable.
  if (/^apply_?patch$/.test(shell)) return parts.join('\n');
  return parts.map((part) => (/^[\w@%+=:,./-]+$/.test(part) ? part : `'${part.replaceAll("'", "'\\''")}'`)).join(' ');
}
