import * as vscode from 'vscode';
import { sameSession } from '../../state/store/sessionKey.ts';
import type { CommandContext } from '../context.ts';
import type { CommandHandlers } from '../commandArguments.ts';
import { activeOrTarget } from '../sessions/pick.ts';
import { pickSnippet } from './suggestions.ts';

export function composerCommands(context: CommandContext) {
  const { controller, composeEditors, composerFocus } = context.composer;
  const { activeConversation, navigation, t } = context;
  return {
    composeInEditor: async (argument) => {
      const key = await activeOrTarget(context, argument, t('Compose Message in Editor'));
      if (key) await composeEditors.open(key);
    },
    sendComposed: () => composeEditors.sendActive(),
    insertSnippet: async (argument) => {
      const editor = vscode.window.activeTextEditor;
      const composed = composeEditors.keyOf(editor?.document);
      const key =
        composed && argument.sessionId === undefined
          ? composed
          : await activeOrTarget(context, argument, t('Insert Snippet'));
      if (!key) return;
      const text = await pickSnippet(t);
      if (text === undefined) return;
      if (editor && sameSession(composed, key)) await editor.edit((edit) => edit.replace(editor.selection, text));
      else {
        controller.insert(key, text);
        await navigation.openConversation(key, undefined, true);
      }
    },
    chooseComputer: async (argument) => {
      const key = await activeOrTarget(context, argument, t('Choose Target Computer'));
      if (key) await controller.chooseComputer(key, argument.computerId);
    },
    sendLater: async () => {
      const { page } = activeConversation;
      if (page?.key) page.post({ type: 'composerKey', press: 'sendLater' });
      else await navigation.focusComposer();
    },
    'composer.send': () => composerFocus.press('send'),
    'composer.newline': () => composerFocus.press('newline'),
  } satisfies Partial<CommandHandlers>;
}
