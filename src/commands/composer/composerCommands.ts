import * as vscode from 'vscode';
import { ContextKeySetter } from '../../host/contextKeys.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { ConversationPage } from '../../views/conversation/conversationPage.ts';
import type { CommandTable } from '../register.ts';
import { currentOrTarget, type SessionPickParts } from '../sessions/pick.ts';
import type { ComposeEditors } from './composeEditors.ts';
import type { ComposerController } from './composer.ts';
import { pickSnippet } from './suggestions.ts';

/** Knows in which page's composer the person writes, so that key bindings of theirs reach it. */
export class ComposerFocus {
  readonly #contexts = new ContextKeySetter();
  #page: ConversationPage | undefined;

  /** The composer of a page got the focus, or lost it. */
  take(page: ConversationPage, isFocused: boolean): void {
    if (isFocused) this.#page = page;
    else if (this.#page === page) this.#page = undefined;
    this.#contexts.set('lineside.isComposing', this.#page !== undefined);
  }

  /** Presses Send or breaks the line in that composer; nothing where there is none. */
  press(press: 'send' | 'newline'): void {
    this.#page?.post({ type: 'composerKey', press });
  }
}

export interface ComposerCommandParts extends SessionPickParts {
  readonly composing: ComposerController;
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
