import * as vscode from 'vscode';
import { ContextKeySetter } from '../../host/contextKeys.ts';
import type { ConversationPage } from '../../views/conversation/conversationPage.ts';
import type { CommandContext } from '../context.ts';
import type { CommandTable } from '../register.ts';
import { currentOrTarget } from '../sessions/pick.ts';
import { pickSnippet } from './suggestions.ts';

/** Tracks which composer has the focus, so that key bindings reach it. */
export class ComposerFocus {
  readonly #contexts = new ContextKeySetter();
  #page: ConversationPage | undefined;

  /** Records that the composer of a page gained or lost the focus. */
  take(page: ConversationPage, isFocused: boolean): void {
    if (isFocused) this.#page = page;
    else if (this.#page === page) this.#page = undefined;
    this.#contexts.set('lineside.isComposing', this.#page !== undefined);
  }

  /** Sends the message, or inserts a line break, in the focused composer. */
  press(press: 'send' | 'newline'): void {
    this.#page?.post({ type: 'composerKey', press });
  }
}

/** Commands that act on a composer. */
export function composerCommands(context: CommandContext): CommandTable {
  const { composing, composeEditors, composerFocus } = context.composer;
  const { navigation, t } = context;
  return {
    composeInEditor: async (argument) => {
      const key = await currentOrTarget(context, argument, t('Compose Message in Editor'));
      if (key) await composeEditors.open(key);
    },
    sendComposed: () => composeEditors.sendActive(),
    insertSnippet: async (argument) => {
      const editor = vscode.window.activeTextEditor;
      const isComposeEditor = composeEditors.keyOf(editor?.document) !== undefined;
      const key = isComposeEditor ? undefined : await currentOrTarget(context, argument, t('Insert Snippet'));
      if (!isComposeEditor && !key) return;
      const text = await pickSnippet(t);
      if (text === undefined) return;
      if (!key) await editor?.edit((edit) => edit.replace(editor.selection, text));
      else {
        composing.insert(key, text);
        await navigation.openConversation(key, undefined, true);
      }
    },
    chooseComputer: async (argument) => {
      const key = await currentOrTarget(context, argument, t('Choose Target Computer'));
      if (key) await composing.chooseComputer(key, argument.computerId);
    },
    'composer.send': () => composerFocus.press('send'),
    'composer.newline': () => composerFocus.press('newline'),
  };
}
