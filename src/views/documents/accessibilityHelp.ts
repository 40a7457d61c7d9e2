import * as vscode from 'vscode';
import type { FileSource } from '../../host/readOnlyFiles/readOnlyFileSystem.ts';
import { KeyRules } from '../../host/keyRules.ts';
import { commandTitles } from '../../host/manifestCommands.ts';
import type { Translate } from '../../shared/text.ts';

const readingCommands = [
  'focusMessageInput',
  'previousPrompt',
  'nextPrompt',
  'previousCodeBlock',
  'nextCodeBlock',
  'previousHeading',
  'nextHeading',
  'previousStep',
  'nextStep',
  'previousError',
  'nextError',
  'toggleBookmark',
  'previousBookmark',
  'nextBookmark',
  'showBookmarks',
  'copyFinalAnswer',
  'addComment',
  'openConversationAsDocument',
];
const sessionCommands = ['pickSession', 'nextNeedsMe', 'nextUnreadSession', 'findSessions'];

/**
 * The accessibility help for the conversation and the Sessions view as a read-only document, with the user's own key
 * bindings. VS Code's help dialog isn't available to extensions: `accessibilityHelpContent` is a proposed API.
 */
export class AccessibilityHelp implements FileSource {
  readonly #extension: Pick<vscode.ExtensionContext, 'extension' | 'globalStorageUri'>;
  readonly #t: Translate;

  constructor(extension: Pick<vscode.ExtensionContext, 'extension' | 'globalStorageUri'>, t: Translate) {
    this.#extension = extension;
    this.#t = t;
  }

  async stat(): Promise<vscode.FileStat> {
    const { byteLength: size } = await this.readFile();
    return { type: vscode.FileType.File, size, ctime: 0, mtime: 0, permissions: vscode.FilePermission.Readonly };
  }

  async readFile(): Promise<Uint8Array> {
    return new TextEncoder().encode(this.#text(await this.#keyRules()));
  }

  #text(rules: KeyRules): string {
    const t = this.#t;
    const titles = commandTitles(this.#extension.extension.packageJSON);
    const keyOf = (command: string) => rules.keyOf(command) ?? t('no keyboard shortcut');
    const list = (names: readonly string[]) =>
      names.map((name) => `- ${titles.get(name) ?? name}: ${keyOf(`lineside.${name}`)}`).join('\n');
    return [
      `# ${t('Accessibility Help')}`,
      t('Go to the next part of the window, such as the conversation: {0}.', keyOf('workbench.action.focusNextPart')),
      t(
        'To change a keyboard shortcut, run Preferences: Open Keyboard Shortcuts ({0}) and search for Lineside.',
        keyOf('workbench.action.openGlobalKeybindings'),
      ),
      `## ${t('Conversation')}`,
      t(
        'Tab goes from message to message. Left Arrow and Right Arrow go through the links, buttons, and code blocks of a message. Up Arrow and Down Arrow do the same while the next one is in view, and otherwise scroll.',
      ),
      t("Answers, errors, and the agent's status are announced. The steps of a running agent aren't."),
      list(readingCommands),
      `## ${t('Sessions')}`,
      t("Each row gives a session's title, state, and age. Right Arrow shows its messages, and Enter opens it."),
      list(sessionCommands),
      '',
    ].join('\n\n');
  }

  /** VS Code's default key bindings, which include those of Lineside, with the user's changes. */
  async #keyRules(): Promise<KeyRules> {
    const rules = new KeyRules();
    const defaults = vscode.Uri.parse('vscode://defaultsettings/keybindings.json');
    rules.add((await vscode.workspace.openTextDocument(defaults)).getText());
    // The key bindings in the user's profile, on the desktop and in a browser.
    const files = [
      vscode.Uri.joinPath(this.#extension.globalStorageUri, '../../keybindings.json'),
      vscode.Uri.parse('vscode-userdata:/User/keybindings.json'),
    ];
    const [own] = (await Promise.allSettled(files.map((file) => vscode.workspace.fs.readFile(file)))).flatMap((found) =>
      found.status === 'fulfilled' ? found.value : [],
    );
    if (own) rules.add(new TextDecoder().decode(own));
    return rules;
  }
}
