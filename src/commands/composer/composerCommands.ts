import * as vscode from 'vscode';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { ComposeEditors } from './composeEditors.ts';
import type { ComposerFocus } from './composerFocus.ts';
import type { Composing } from './composer.ts';
import type { CommandTable } from '../register.ts';
import type { SessionPickParts } from '../sessions/pick.ts';
import { currentOrTarget } from '../sessions/sessionTarget.ts';
import { pickSnippet } from './snippets.ts';

export interface ComposerCommandParts extends SessionPickParts {
  readonly composing: Composing;
  readonly composeEditors: ComposeEditors;
  readonly composerFocus: ComposerFocus;
  readonly openConversation: (key: SessionKey, messageId?: string, focus?: boolean) => Promise<void>;
}

/** What belongs to the composer and can be had from palette, menus and key bindings. */
export function composerCommands(parts: ComposerCommandParts): CommandTable {
  const { composing, composeEditors, composerFocus, openConversation, t } = parts;
  return {
    composeInEditor: async (argument) => {
      const key = await currentOrTarget(parts, argument, t('Compose Message in Editor'));
      if (key) await composeEditors.open(key);
    },
    sendComposed: () => composeEditors.sendActive(),
    insertSnippet: async (argument) => {
      const editor = vscode.window.activeTextEditor;
      const isOurs = composeEditors.keyOf(editor?.document) !== undefined;
      const key = isOurs ? undefined : await currentOrTarget(parts, argument, t('Insert Snippet'));
      if (!isOurs && !key) return;
      const text = await pickSnippet(t);
      if (text === undefined) return;
      if (!key) await editor?.edit((edit) => edit.replace(editor.selection, text));
      else {
        composing.insert(key, text);
        await openConversation(key, undefined, true);
      }
    },
    chooseComputer: async (argument) => {
      const key = await currentOrTarget(parts, argument, t('Send to Computer'));
      if (key) await composing.chooseComputer(key, argument.computerId);
    },
    'composer.send': () => composerFocus.press('send'),
    'composer.newline': () => composerFocus.press('newline'),
  };
}
