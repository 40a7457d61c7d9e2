import {
  hasPlaceholder,
  problemOfIds,
  replacePlaceholders,
  type TemplateIds,
  type TemplateProblem,
  unknownPlaceholderIn,
} from './placeholders.ts';

/** A program and its arguments, as they are passed to the operating system. */
export interface FilledCommand {
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * IDs must not look like an option, an argument file (`@file`), or a path, and must not contain a character that is
 * special to a shell: on Windows, many programs are batch files.
 */
const safeId = /^[a-z\d_][\w.:@+-]*$/i;

/**
 * Fills in a command template: the program and its arguments. The program must be an absolute path or a name without
 * folders, so that it isn't searched in the workspace. Returns the command, or the reason why it can't be run.
 */
export function fillCommand(
  template: readonly string[],
  ids: TemplateIds,
): FilledCommand | { readonly problem: TemplateProblem } {
  const [program = '', ...args] = template;
  const problem = problemOfCommand(program, args) ?? problemOfIds(args.join(' '), ids, safeId);
  if (problem) return { problem };
  return { program, args: args.map((argument) => replacePlaceholders(argument, ids, (id) => id)) };
}

function problemOfCommand(program: string, args: readonly string[]): TemplateProblem | undefined {
  if (program.trim() === '') return { kind: 'noProgram' };
  if (hasPlaceholder(program)) return { kind: 'placeholderInProgram' };
  const hasFolder = /[/\\]/.test(program);
  if (hasFolder && !/^(?:\/|[a-z]:[/\\]|\\\\)/i.test(program)) return { kind: 'relativeProgram' };
  if ([program, ...args].some((text) => /\p{Cc}/u.test(text))) return { kind: 'controlCharacter' };
  return unknownPlaceholderIn(args.join(' '));
}
