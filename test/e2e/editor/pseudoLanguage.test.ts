import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { click, fill, hover, press } from '../../../tools/editor/drive/act.ts';
import { repositoryFolder } from '../../../tools/editor/install/cache.ts';
import type { Editor } from '../../../tools/editor/run/editor.ts';
import { desktopWanted } from '../../../tools/editor/run/openEditor.ts';
import { pageFaults } from '../../../tools/l10n/pageCheck.ts';
import { pseudoBundle, pseudoLanguage, pseudoText } from '../../../tools/l10n/pseudo.ts';
import { useJourney } from '../journey/journey.ts';
import { closeMenus } from '../journey/pointing.ts';
import { conversationOf } from '../journey/sessionSteps.ts';
import { useService } from '../journey/recordedService.ts';
import { patiently } from '../journey/until.ts';

/** Adds the pseudo-language to the installed extension. VS Code reads it only if that language is set. */
async function addPseudoLanguage({ extensionsFolder }: Editor): Promise<void> {
  const name = (await readdir(extensionsFolder)).find((entry) => /^lineside\.lineside-\d/.test(entry)) ?? '';
  const root = join(extensionsFolder, name);
  for (const file of ['package.nls.json', join('l10n', 'bundle.l10n.json')]) {
    const texts = JSON.parse(await readFile(join(repositoryFolder, file), 'utf8')) as Record<string, string>;
    const target = join(root, file.replace(/\.json$/, `.${pseudoLanguage}.json`));
    await writeFile(target, JSON.stringify(pseudoBundle(texts)));
  }
}

/** The number of settings on the User tab. Settings of the machine are on the Remote tab. */
async function countUserSettings(): Promise<number> {
  const { contributes } = JSON.parse(await readFile(join(repositoryFolder, 'package.json'), 'utf8')) as {
    readonly contributes: {
      readonly configuration: readonly { readonly properties: Readonly<Record<string, { readonly scope?: string }>> }[];
    };
  };
  const settings = contributes.configuration.flatMap(({ properties }) => Object.values(properties));
  return settings.filter(({ scope }) => scope !== 'machine').length;
}

/** Names, formats, keys, data of the service, and dates, which VS Code formats in English here. */
const sameInAllLanguages = [
  // In the names of its rows, VS Code puts the name of the icon before the label.
  '^[a-z-]+ {2}',
  String.raw`https?:\/\/\S+|Lineside|Markdown|JSONL?|CSV|computer-[\w-]+`,
  String.raw`\b(?:Ctrl|Shift|Alt|AM|PM|KB|MB)\b`,
  String.raw`"(?:color|priority|area|reviewers)"|\blineside\.[\w.]+`,
  String.raw`(?:[A-Z][a-z]+day, )?[A-Z][a-z]{2,8} \d+, \d{4}`,
];

/**
 * Names whose values are data of the service. All letters of these values become digits, so that they aren't taken for
 * words.
 */
const dataNames = new Set([
  'title',
  'text',
  'name',
  'model',
  'input',
  'content',
  'thinking',
  'path',
  'description',
  'metadata',
  'specModeModel',
  'enabledToolIds',
  'disabledToolIds',
]);
const kept = new Set(['type', 'role', 'toolUseId', 'id', 'mediaType']);

function withoutWords(json: unknown, isData = false): unknown {
  if (typeof json === 'string') return isData ? json.replace(/\p{L}/gu, '1') : json;
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return json.map((item) => withoutWords(item, isData));
  const entries = Object.entries(json).map(([name, value]) => [
    name,
    kept.has(name) ? (value as unknown) : withoutWords(value, isData || dataNames.has(name)),
  ]);
  return Object.fromEntries(entries) as unknown;
}

describe.skipIf(desktopWanted())('in the pseudo-language, nothing is untranslated', () => {
  const service = useService({}, withoutWords);
  const journey = useJourney({ pseudoLanguage }, addPseudoLanguage);
  const workbench = () => journey.workbench;
  const page = () => workbench().page;
  const start = (command: string) => workbench().start(`lineside.${command}`);
  const widget = () => workbench().quickInput.widget;

  /**
   * Waits until a text below an element is in the pseudo-language, and expects the same of all others that are visible.
   * `open` opens the element again if it has closed.
   */
  async function expectTranslated(
    root: Locator,
    what: string,
    allowed = '',
    open = () => root.getByText('⟦').first().waitFor(),
  ): Promise<void> {
    const words = [allowed, ...sameInAllLanguages].filter((part) => part !== '');
    const faults = async () => {
      await open();
      return (await root.first().evaluate(pageFaults, words.join('|'), { timeout: 5_000 })).untranslated;
    };
    await expect.poll(faults, { ...patiently, message: what }).toEqual([]);
  }

  /** Starts a command, and checks the picker or input box that it opens. */
  async function expectPicker(command: string): Promise<void> {
    await start(command);
    await expectTranslated(widget(), command);
    await workbench().picture(`pseudo ${command}`);
    await press(widget().locator('input').first(), 'Escape');
    await widget().waitFor({ state: 'hidden' });
  }

  it('before the first service is connected', async () => {
    const sideBar = page().locator('.part.sidebar');
    await workbench().focusView('lineside.sessions');
    await expectTranslated(sideBar, 'the welcome view of the sessions');
    await workbench().focusView('lineside.conversation');
    await expectTranslated(page().locator('.part.auxiliarybar'), 'the title of the conversation view');
    await expectTranslated(conversationOf(workbench()).frame.locator('body'), 'the conversation without a service');
    await workbench().execute('workbench.action.openWalkthrough', 'lineside.lineside#start');
    await expectTranslated(page().locator('.gettingStartedDetailsContent'), 'the walkthrough');
    await workbench().execute('workbench.action.closeAllEditors');
  });

  it('while connecting and adding sessions', async () => {
    const { input, message } = workbench().quickInput;
    /** Waits for this message, because the input box may still show the previous one. `{0}` is the origin. */
    const expectMessage = async (text: string, allowed = '') => {
      await message.filter({ hasText: pseudoText(text).replace('{0}', new URL(service.baseUrl).origin) }).waitFor();
      await expectTranslated(widget(), text, allowed);
    };
    const enter = async (text: string) => {
      await fill(input, text);
      await press(input, 'Enter');
    };
    await start('connect');
    await expectMessage(
      'Enter the base URL of your Sessions API. Only requests for its own sessions are sent to this host.',
    );
    await enter('not an address');
    await expectMessage('The base URL must start with https://.');
    await enter(service.baseUrl);
    await expectMessage(
      "Paste the API key or access token. It's stored securely by VS Code and is only sent to this host.",
    );
    await enter('wrong');
    await expectMessage('Nothing was saved. Enter the key again.', 'The token is not valid');
    await enter(service.token);
    await expectMessage('Connected to {0}.');
    // Two of the three run on different computers, so that there is a choice of computers.
    const { login, failed, pending } = service.sessionIdByName;
    await enter(`${login} ${failed} ${pending}`);
    await conversationOf(workbench()).frame.getByRole('article').first().waitFor();
  });

  it('in the list of sessions, its menus, and the status bar', async () => {
    const sideBar = page().locator('.part.sidebar');
    await expectTranslated(sideBar, 'the sessions');
    const row = sideBar.locator('.monaco-list-row[aria-level="2"]').first();
    // A page that takes the focus closes the menu.
    const menu = page().locator('.monaco-menu').last();
    const isMenuShown = () => menu.getByText('⟦').first().isVisible();
    const openMenu = () => click(row, { button: 'right', effect: isMenuShown, timeout: 5_000 });
    await expectTranslated(menu, 'the menu of a session', '', openMenu);
    await closeMenus(workbench());
    await expectTranslated(page().locator('[id="lineside.lineside.lineside.status"]'), 'the status bar');
    const tip = page().locator('.monaco-hover:visible').first();
    const openTip = () => hover(row, { effect: () => tip.getByText('⟦').first().isVisible() });
    await expectTranslated(tip, 'the tooltip of a session', String.raw`[\w-]*\d[\w-]*`, openTip);
  });

  it.each([
    'pickSession',
    'switchService',
    'findSessions',
    'filterSessions',
    'arrangeSessions',
    'editSettings',
    'editTags',
    'renameSession',
    'readFromComputer',
    'exportConversation',
    'setDetailLevel',
    'goToPrompt',
    'attach',
    'chooseComputer',
    'showCommands',
    'showErrors',
    'sendMessage',
  ])('in %s', async (command) => {
    await expectPicker(command);
  });

  it('in the settings', async () => {
    // The list shows all of its rows if the window is tall enough.
    const size = page().viewportSize() ?? { width: 1280, height: 800 };
    await page().setViewportSize({ ...size, height: 8_000 });
    await workbench().setSetting('workbench.editor.useModal', 'off');
    await workbench().execute('workbench.action.openSettings', '@ext:lineside.lineside');
    // VS Code describes the default settings of a language itself.
    const items = page().locator('.settings-editor .setting-item-contents:visible', {
      hasNotText: /lineside-message/i,
    });
    const descriptions = items.locator('.setting-item-description:visible');
    await expect.poll(() => descriptions.count(), patiently).toBe(await countUserSettings());
    // VS Code makes the text of a link to a setting from its name.
    const names = String.raw`\$\{[\w:]+\}|/home/agent/work/shop|notify-send|osascript|lineside_\w+|Lineside › [\w ]+: [\w ]+|\["my-agent".*?\]|\{"id".*?\}`;
    for (const description of await descriptions.all()) {
      await expectTranslated(description, 'the description of a setting', names);
    }
    await page().setViewportSize(size);
  });
});
