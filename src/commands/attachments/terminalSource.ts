import { pickRow } from '../../host/prompts/picker.ts';
import { type PickedContent, contentOfText } from '../../host/editors/pickedContent.ts';
import type { TerminalCommand, TerminalCommands } from '../../host/editors/terminalOutputs.ts';
import { plainTerminalText } from '../../shared/text/terminalText.ts';
import { plainLine, type Translate } from '../../shared/text.ts';
import { NothingToDoError } from '../commandErrors.ts';
import type { AttachmentSource } from './attachmentSource.ts';
import type { Attachments } from './attachments.ts';

const fileName = 'terminal-output.txt';

/** The output of the last command in the terminal that the user chooses, if recording is turned on. */
export function terminalSource(attachments: Attachments, t: Translate): AttachmentSource<'terminal'> {
  return {
    kind: 'terminal',
    label: t('Terminal Output...'),
    title: t('Attach Terminal Output'),
    whyUnavailable: () => whyUnavailable(attachments.terminals, t),
    choose: async () => {
      const { terminals } = attachments;
      const reason = whyUnavailable(terminals, t);
      if (reason !== undefined) throw new NothingToDoError(reason);
      const chosen = await chooseCommand(terminals.commands(), t);
      return chosen && attachments.fromContents([contentOf(chosen, t)]);
    },
  };
}

function whyUnavailable(terminals: TerminalCommands, t: Translate): string | undefined {
  if (!terminals.isEnabled) return t('To attach terminal output, turn on "Record Terminal Output" in the settings.');
  return terminals.hasCommands ? undefined : t('No command has run in a terminal with shell integration yet.');
}

async function chooseCommand(commands: readonly TerminalCommand[], t: Translate): Promise<TerminalCommand | undefined> {
  if (commands.length === 1) return commands[0];
  const items = commands.map((command) => ({
    label: plainLine(command.commandLine, 200),
    description: plainLine(command.terminalName, 60),
    detail: stateOf(command, t),
    command,
  }));
  return (await pickRow(items, { title: t('Attach Terminal Output') }))?.command;
}

/** The command line, its output, and how the command ended. */
function contentOf(command: TerminalCommand, t: Translate): PickedContent {
  const output = command.output.replace(/(?<!\n)\n+$/, '');
  const lines = [
    `$ ${plainTerminalText(command.commandLine)}`,
    ...(command.isCut ? [t('[The beginning of the output is missing.]')] : []),
    output === '' ? t('[No output was recorded.]') : output,
    `[${stateOf(command, t)}]`,
  ];
  return contentOfText(`${lines.join('\n')}\n`, { name: fileName });
}

function stateOf({ isRunning, exitCode }: TerminalCommand, t: Translate): string {
  if (isRunning) return t('Still running');
  return exitCode === undefined ? t('Exit code unknown') : t('Exit code {0}', exitCode);
}
