import {
  hasPlaceholder,
  failureOfIds,
  replacePlaceholders,
  type TemplateIds,
  type TemplateFailure,
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
 * folders, so that it isn't searched for in the workspace. Returns the command, or the reason why it can't be run.
 */
export function fillCommand(
  template: readonly string[],
  ids: TemplateIds,
): FilledCommand | { readonly failure: TemplateFailure } {
  const [program = '', ...args] = template;
  const failure = failureOfCommand(program, args) ?? failureOfIds(args.join(' '), ids, safeId);
  if (failure) return { failure };
  return { program, args: args.map((argument) => replacePlaceholders(argument, ids, (id) => id)) };
}

function failureOfCommand(program: string, args: readonly string[]): TemplateFailure | undefined {
  if (program.trim() === '') return { kind: 'noProgram' };
  if (hasPlaceholder(program)) return { kind: 'placeholderInProgram' };
  const hasFolder = /[/\\]/.test(program);
  if (hasFolder && !/^(?:\/|[a-z]:[/\\]|\\\\)/i.test(program)) return { kind: 'relativeProgram' };
  if ([program, ...args].some((text) => /\p{Cc}/u.test(text))) return { kind: 'controlCharacter' };
  return unknownPlaceholderIn(args.join(' '));
}
