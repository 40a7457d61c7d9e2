import * as vscode from 'vscode';
import { Picker, type PickerRow } from '../../host/prompts/picker.ts';
import { reasonOf } from '../../shared/log.ts';
import { plainLine, type Translate } from '../../shared/text.ts';
import { isPrompt } from '../../state/store/turns.ts';
import type { MessageHeader } from '../../state/store/messageHeader.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { readOnce } from '../../sync/sessionReader.ts';
import type { CommandContext } from '../context.ts';
import { NothingToDoError } from '../commandErrors.ts';
import type { SessionArgument } from '../commandArguments.ts';
import { activeOrTarget } from '../sessions/pick.ts';
import { byDay } from './dayItems.ts';
import { loadMessage } from './givenMessage.ts';

/** The value of a row: a prompt, or `older` for the row that loads older messages. */
type PromptChoice = { readonly messageId: string } | 'older';

type PromptPicker = Picker<PromptChoice, string>;

/** Lets the user select a prompt of a session, loaded or not, and shows it. */
export async function goToPrompt(context: CommandContext, argument: SessionArgument): Promise<void> {
  const { t } = context;
  const key = await activeOrTarget(context, argument, t('Go to Prompt'));
  if (!key) return;
  await context.sessions.restoreFromCache(key);
  const messageId = await new PromptPick(context, key).choose();
  if (messageId === undefined) return;
  await loadMessage(context, key, messageId);
  await context.navigation.openConversation(key, { messageId });
}

/**
 * The prompts of a session, newest first and grouped by day. While the list is open, newer messages are loaded. If
 * older messages aren't loaded, the service is asked for all prompts instead; they are only listed, not loaded.
 */
class PromptPick {
  readonly #context: CommandContext;
  readonly #key: SessionKey;
  readonly #listed = new Map<string, MessageHeader>();
  #shownCount = 0;
  /** Whether the other prompts couldn't be listed, so loading older messages is the only way to see them. */
  #isLoadedOnly = false;

  constructor(context: CommandContext, key: SessionKey) {
    this.#context = context;
    this.#key = key;
  }

  /**
   * Resolves to the ID of the selected prompt, or undefined if canceled.
   * @throws NothingToDoError if the session has no prompts.
   */
  async choose(): Promise<string | undefined> {
    const { sessions, t } = this.#context;
    const isComplete = this.#record?.history.completeness === 'complete';
    const hasNewest = sessions.hasNewestMessages(this.#key);
    if (isComplete && hasNewest && this.#prompts.length === 0) throw new NothingToDoError(t('No prompts found.'));
    const picker: PromptPicker = new Picker({
      title: t('Go to Prompt'),
      placeholder: t('Select a prompt'),
      keepScrollPosition: true,
    });
    this.#show(picker);
    if (!isComplete) void this.#list(picker);
    else if (!hasNewest) void this.#loadNewest(picker);
    return picker.ask({
      accept: (choice) => {
        if (choice === 'older') return picker.isBusy ? undefined : this.#loadOlder(picker);
        if (choice) picker.finish(choice.messageId);
        return undefined;
      },
    });
  }

  get #record() {
    return this.#context.store.record(this.#key);
  }

  /** All known prompts, newest first. */
  get #prompts(): readonly MessageHeader[] {
    const loaded = this.#record?.headers.filter(isPrompt) ?? [];
    const loadedIds = new Set(loaded.map(({ messageId }) => messageId));
    const others = [...this.#listed.values()].filter((prompt) => isPrompt(prompt) && !loadedIds.has(prompt.messageId));
    return [...loaded, ...others].sort((a, b) => b.createdAt - a.createdAt);
  }

  async #list(picker: PromptPicker): Promise<void> {
    const { sessions, log, t } = this.#context;
    const { signal } = picker;
    picker.isBusy = true;
    try {
      const isFiltered = await sessions.listPrompts(this.#key, signal, (headers) => {
        for (const header of headers) this.#listed.set(header.messageId, header);
        // Each update sends all rows to VS Code, and there can be thousands, so wait until the list has doubled.
        if (this.#listed.size > 2 * this.#shownCount) this.#show(picker);
      });
      this.#isLoadedOnly = !isFiltered;
      if (!isFiltered) picker.placeholder = t("Select a prompt. The service can't list prompts that aren't loaded.");
    } catch (error) {
      if (signal.aborted) return;
      log.debug(`couldn't list the prompts: ${reasonOf(error)}`);
      this.#isLoadedOnly = true;
      picker.placeholder = t("Select a prompt. Couldn't list the prompts that aren't loaded.");
    }
    // Without the service's list, only loaded prompts can be shown, so load the newest messages.
    if (this.#isLoadedOnly && !signal.aborted && !sessions.hasNewestMessages(this.#key)) {
      await readOnce(sessions, this.#key);
    }
    if (signal.aborted) return;
    picker.isBusy = false;
    this.#show(picker);
    if (this.#prompts.length === 0 && !this.#canLoadOlder) picker.placeholder = t('No prompts found.');
  }

  async #loadNewest(picker: PromptPicker): Promise<void> {
    const { sessions, t } = this.#context;
    picker.isBusy = true;
    await readOnce(sessions, this.#key);
    if (picker.signal.aborted) return;
    picker.isBusy = false;
    this.#show(picker);
    if (this.#prompts.length === 0) picker.placeholder = t('No prompts found.');
  }

  async #loadOlder(picker: PromptPicker): Promise<void> {
    picker.isBusy = true;
    await this.#context.sessions.loadOlder(this.#key);
    this.#show(picker);
    picker.isBusy = false;
  }

  #show(picker: PromptPicker): void {
    const prompts = this.#prompts;
    this.#shownCount = prompts.length;
    picker.show([...promptRows(prompts, this.#context.t), ...(this.#canLoadOlder ? olderRows(this.#context.t) : [])]);
  }

  get #canLoadOlder(): boolean {
    return this.#isLoadedOnly && this.#record?.history.completeness === 'partial';
  }
}

function promptRows(prompts: readonly MessageHeader[], t: Translate): PickerRow<PromptChoice>[] {
  return byDay(prompts, t, ({ messageId, firstLine, createdAt }) => ({
    label: plainLine(firstLine, 120) || t('({0}, no text)', t('User')),
    description: t.formats.time(createdAt),
    value: { messageId },
    id: messageId,
  }));
}

function olderRows(t: Translate): PickerRow<PromptChoice>[] {
  return [
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      label: t('Load Older Messages'),
      iconPath: new vscode.ThemeIcon('history'),
      alwaysShow: true,
      value: 'older',
      id: '',
    },
  ];
}
