import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ComposedMessage } from '../../../../src/commands/composer/composerController.ts';
import type { PageServices } from '../../../../src/commands/context.ts';
import { composerHandlers } from '../../../../src/commands/page/composerHandlers.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import type { PageMessages } from '../../../../src/shared/protocol/pageMessages.ts';
import type { PageDraft } from '../../../../src/shared/protocol/pageModel.ts';
import { emptyDraft, lastAddedId } from '../../../../src/state/store/sessionRecord.ts';
import { Drafts } from '../../../../src/sync/drafts/drafts.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import type { ConversationPage } from '../../../../src/views/conversation/conversationPage.ts';
import { t } from '../../state/samples.ts';
import { keyOf, OutboxRig } from '../../sync/outbox/outboxRig.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const key = keyOf('s1');
const caret = { selectionStart: 0, selectionEnd: 0 };

let rig: OutboxRig;
let drafts: Drafts;
let handlers: ReturnType<typeof composerHandlers>;
let acknowledged: number;
/** Revisions keep increasing when a page is loaded again. */
let lastRevision = 0;
let sent: string[];
const page = {
  key,
  acknowledgeDraft: (revision: number) => {
    acknowledged = revision;
  },
  refreshComposer: () => undefined,
} as unknown as ConversationPage;

beforeEach(async () => {
  rig = await OutboxRig.open();
  const { store, blobs, clock } = rig;
  drafts = new Drafts({ store, blobs, records: new RecordStores(rig.disk), clock, log: silentLog });
  acknowledged = 0;
  sent = [];
  const controller = {
    failures: { forget: () => false, forgetUnlessRejected: () => false },
    send: (_key: unknown, { text, addedId }: ComposedMessage) => {
      sent.push(text);
      drafts.takeText(key, text, page, addedId);
      drafts.forgetText(key, text);
      return Promise.resolve();
    },
  };
  handlers = composerHandlers({ store, drafts, composer: { controller }, t } as unknown as PageServices);
});
afterEach(async () => {
  await drafts.flush();
  drafts.dispose();
  await rig.close();
});

/** A page that shows the draft. It follows the rules of `ComposerTextField`. */
class ModelPage {
  text = '';
  #addedId: number | undefined;
  /** The last revision that this page sent. */
  #revision = 0;
  #isUnsaved = false;
  /** Messages that haven't arrived, oldest first. */
  readonly toHost: (PageMessages['draft'] | PageMessages['send'])[] = [];
  readonly toPage: PageDraft[] = [];
  readonly #changes = rig.store.onDidChange((change) => {
    if (change.type === 'draft' && change.source !== page) this.#isDue = true;
  });
  #isDue = true;

  /** Loads the page, which then shows the draft. */
  load(): void {
    this.post();
    this.receive();
  }

  type(letter: string): void {
    this.text = letter + this.text;
    this.#isUnsaved = true;
  }

  save(): void {
    if (!this.#isUnsaved) return;
    this.#isUnsaved = false;
    this.toHost.push({ type: 'draft', ...key, text: this.text, ...caret, ...this.#sent() });
  }

  send(): void {
    this.#isUnsaved = false;
    this.toHost.push({ type: 'send', ...key, text: this.text, ...this.#sent() });
    this.text = '';
  }

  /** Delivers the oldest draft from the host. The page shows it unless the user typed in the meantime. */
  receive(): void {
    const draft = this.toPage.shift();
    if (!draft) return;
    if (this.#isUnsaved || (draft.revision ?? 0) < this.#revision) {
      this.save();
      return;
    }
    this.text = draft.text;
    this.#addedId = draft.addedId;
  }

  async arrive(): Promise<void> {
    const message = this.toHost.shift();
    if (message?.type === 'draft') handlers.draft(message, page);
    else if (message) await handlers.send(message, page);
    this.post();
  }

  post(): void {
    if (!this.#isDue) return;
    this.#isDue = false;
    const { text, ...draft } = drafts.get(key);
    const addedId = lastAddedId({ text, ...draft });
    this.toPage.push({ text, ...caret, revision: acknowledged, ...(addedId === undefined ? {} : { addedId }) });
  }

  /**
   * Hides the page, which saves what the user typed. Its last messages arrive at the host, but no draft from the host
   * arrives at the page.
   */
  async hide(): Promise<void> {
    this.save();
    while (this.toHost.length > 0) await this.arrive();
    this.#changes.dispose();
  }

  async settle(): Promise<void> {
    while (this.toHost.length + this.toPage.length > 0 || this.#isUnsaved) {
      this.receive();
      this.save();
      await this.arrive();
    }
  }

  #sent(): { readonly revision: number; readonly addedId?: number } {
    return {
      revision: (this.#revision = ++lastRevision),
      ...(this.#addedId === undefined ? {} : { addedId: this.#addedId }),
    };
  }
}

const actions = ['type', 'save', 'send', 'add', 'post', 'receive', 'arrive', 'hide'] as const;

it('a text that is added to a draft stays once, with all that the user types, whatever the page does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...actions), { maxLength: 40 }), async (steps) => {
      drafts.set(key, emptyDraft);
      sent.length = 0;
      let shown = new ModelPage();
      let typed = 0;
      let added = 0;
      for (const step of steps) {
        if (step === 'type') shown.type(String.fromCodePoint(0x4e00 + typed++));
        else if (step === 'add') drafts.addText(key, `[${added++}]`);
        else if (step === 'hide') {
          await shown.hide();
          shown = new ModelPage();
          shown.load();
        } else await shown[step]();
      }
      shown.post();
      await shown.settle();
      await shown.hide();
      const { text } = drafts.get(key);
      expect(shown.text).toBe(text);
      const all = [...sent, text].join('');
      for (let index = 0; index < typed; index++)
        expect(all.split(String.fromCodePoint(0x4e00 + index))).toHaveLength(2);
      for (let index = 0; index < added; index++) expect(all.split(`[${index}]`)).toHaveLength(2);
    }),
    { seed: 7, numRuns: 1_000 },
  );
});

it.each([
  ['stays in a draft that was edited elsewhere', 'fix this, and add tests', [], 'fix this, and add tests'],
  ['is sent from a draft that is the same', 'fix this', ['fix this'], ''],
])('a message that waited for files %s', async (_, text, messages, rest) => {
  drafts.setText(key, { text, ...caret });
  await handlers.send({ type: 'send', ...key, text: 'fix this', revision: 2, hasWaited: true }, page);
  expect([sent, drafts.get(key).text, acknowledged]).toEqual([messages, rest, 2]);
});

it('a message that waited for files is sent without what was added to its draft meanwhile', async () => {
  drafts.setText(key, { text: 'fix this', ...caret });
  drafts.addText(key, 'added');
  await handlers.send({ type: 'send', ...key, text: 'fix this', revision: 2, hasWaited: true }, page);
  expect([sent, drafts.get(key).text]).toEqual([['fix this'], 'added']);
});

it('what a page sends without an addition keeps it, whether it saves or sends the text', async () => {
  drafts.addText(key, 'added');
  handlers.draft({ type: 'draft', ...key, text: 'Own', ...caret, revision: 1 }, page);
  expect(drafts.get(key).text).toBe('Own\n\nadded');
  await handlers.send({ type: 'send', ...key, text: 'Own', revision: 2 }, page);
  expect([sent, drafts.get(key).text]).toEqual([['Own'], 'added']);
});
