import { afterAll, expect, it, vi } from 'vitest';
import { translator } from '../../src/shared/translate.ts';
import type { ComposerController } from '../../src/commands/composer/composerController.ts';
import type { PageServices } from '../../src/commands/context.ts';
import { silentLog } from '../../src/shared/log.ts';
import type { HostMessage } from '../../src/shared/protocol/hostMessages.ts';
import type { PageMessage } from '../../src/shared/protocol/pageMessages.ts';
import type { SessionKey } from '../../src/state/store/sessionKey.ts';
import { paragraphs } from '../../src/shared/text/paragraphs.ts';
import { Drafts } from '../../src/sync/drafts/drafts.ts';
import type { SessionReader } from '../../src/sync/sessionReader.ts';
import { RecordStores } from '../../src/sync/storage/recordStores.ts';
import type { ConversationPage } from '../../src/views/conversation/conversationPage.ts';
import { until } from '../fakes/until.ts';
import { noTerminals } from '../fakes/terminals.ts';
import { OutboxRig, keyOf } from '../unit/sync/outbox/outboxRig.ts';
import { counted, extent, keepTally, seed, seeded } from './tally.ts';

vi.mock('vscode', () => ({
  DiagnosticSeverity: {},
  Uri: { parse: (text: string) => ({ scheme: 'file', toString: () => text }) },
  workspace: {
    textDocuments: [],
    fs: { isWritableFileSystem: () => true },
    getConfiguration: () => ({ get: () => undefined }),
  },
}));

const t = translator('en');
const sessionIds = ['s1', 's2', 's3'];
const sendsPerScript = 50;
const diskFull = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
const tokens = /<\d+>/g;

type PageHandler = (message: PageMessage, page: ConversationPage) => unknown;

/** Behaves like the page's text field, without a browser. Messages in both directions arrive in order, but late. */
class ScriptedPage {
  readonly host: ConversationPage;
  readonly #handle: PageHandler;
  readonly #drafts: Drafts;
  readonly #random: () => number;
  #toHost = Promise.resolve();
  #toPage = Promise.resolve();
  /** The session that the host shows, and the one that the page has drawn. */
  #key: SessionKey = keyOf('s1');
  #shown: SessionKey = keyOf('s1');
  #acknowledged = 0;
  readonly #latest = new Map<string, { readonly text: string; readonly revision: number }>();
  #text = '';
  /** The ID of the first attachment that the page has drawn. */
  #shownId: string | undefined;
  #isDirty = false;
  #revision = 0;

  constructor(rig: OutboxRig, drafts: Drafts, random: () => number, handle: PageHandler) {
    this.#drafts = drafts;
    this.#random = random;
    this.#handle = handle;
    const key = () => this.#key;
    const host = {
      get key() {
        return key();
      },
      post: (message: HostMessage) => this.#deliver(() => this.#receive(message)),
      acknowledgeDraft: (revision: number) => (this.#acknowledged = Math.max(revision, this.#acknowledged)),
      refreshComposer: (section?: string) => section === 'draft' && this.#sendDraft(),
    };
    this.host = host as unknown as ConversationPage;
    rig.store.onDidChange((change) => {
      if (change.type !== 'draft' || change.key.sessionId !== this.#key.sessionId) return;
      this.#sendAttachments();
      if (change.source !== this.host) this.#sendDraft();
    });
  }

  /** Whether the field is empty, for example because the page has switched to a session without a draft. */
  get isBlank(): boolean {
    return this.#text === '';
  }

  type(text: string): void {
    this.#text += text;
    this.#isDirty = true;
  }

  submit(): void {
    const text = this.#text;
    this.#isDirty = false;
    this.#text = '';
    const shown = this.#shownId === undefined ? {} : { shownId: this.#shownId };
    this.#post({ type: 'send', ...this.#shown, text, revision: ++this.#revision, ...shown });
    this.#latest.set(this.#shown.sessionId, { text: '', revision: this.#revision });
  }

  flush(): void {
    if (!this.#isDirty) return;
    this.#isDirty = false;
    const selection = { selectionStart: this.#text.length, selectionEnd: this.#text.length };
    const draft = { text: this.#text, ...selection, revision: ++this.#revision };
    this.#post({ type: 'draft', ...this.#shown, ...draft });
    this.#latest.set(this.#shown.sessionId, draft);
  }

  show(key: SessionKey): void {
    this.#key = key;
    const { text, attachments } = this.#drafts.get(key);
    const draft = { text, revision: this.#acknowledged };
    this.#deliver(() => {
      const isSame = this.#shown.sessionId === key.sessionId;
      if (!isSame) this.flush();
      this.#shown = key;
      this.#shownId = attachments[0]?.attachmentId;
      this.#showDraft(draft, isSame);
    });
  }

  /** Resolves when no message is on its way in either direction. */
  async settled(): Promise<void> {
    for (let before; before !== this.#toPage;) {
      before = this.#toPage;
      await this.#toHost;
      await before;
    }
  }

  #sendAttachments(): void {
    const key = this.#key;
    const { attachments } = this.#drafts.get(key);
    this.#deliver(() => {
      if (key.sessionId === this.#shown.sessionId) this.#shownId = attachments[0]?.attachmentId;
    });
  }

  #sendDraft(): void {
    const key = this.#key;
    const draft = { text: this.#drafts.get(key).text, revision: this.#acknowledged };
    this.#deliver(() => {
      if (key.sessionId === this.#shown.sessionId) this.#showDraft(draft, true);
    });
  }

  #showDraft(draft: { readonly text: string; readonly revision: number }, isSameSession: boolean): void {
    if (isSameSession && (this.#isDirty || draft.revision < this.#revision)) {
      this.flush();
      return;
    }
    this.#isDirty = false;
    const latest = this.#latest.get(this.#shown.sessionId);
    this.#text = latest && latest.revision > draft.revision ? latest.text : draft.text;
  }

  #receive(message: HostMessage): void {
    if (message.type !== 'sendRejected' || message.sessionId !== this.#shown.sessionId) return;
    if (this.#text.startsWith(message.text)) return;
    this.#text = paragraphs(message.text, this.#text);
    this.#isDirty = true;
    this.flush();
  }

  #post(message: PageMessage): void {
    this.#toHost = this.#toHost.then(() => this.#pause()).then(() => void this.#handle(message, this.host));
  }

  #deliver(task: () => void): void {
    this.#toPage = this.#toPage.then(() => this.#pause()).then(task);
  }

  #pause(): Promise<void> {
    const longest = this.#random() < 0.05 ? 500 : 6;
    return pause(Math.floor(this.#random() * longest));
  }
}

async function pause(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const sum = { faults: 0, typed: 0, delivered: 0, reported: 0, lost: 0, doubled: 0 };
let withoutText = 0;

/** Runs a script in which either the page switches sessions, or the disk is full from time to time. */
async function runScript(scriptSeed: number, sends: number, switches: boolean): Promise<void> {
  const random = seeded(scriptSeed);
  const rig = await OutboxRig.open({}, sessionIds);
  const { ComposerController } = await import('../../src/commands/composer/composerController.ts');
  const { composerHandlers } = await import('../../src/commands/page/composerHandlers.ts');
  const { Attachments } = await import('../../src/commands/attachments/attachments.ts');
  const { store, outbox, blobs, clock, disk } = rig;
  disk.delayWrite = () => pause(Math.floor(random() * 12));
  const drafts = new Drafts({ store, blobs, records: new RecordStores(disk), clock, log: silentLog });
  const attachments = new Attachments(blobs, drafts, noTerminals, t);
  const sessions = {} as unknown as SessionReader;
  const services = { store, sessions, drafts, outbox, blobs, attachments, log: silentLog, t };
  const controller: ComposerController = new ComposerController(services);
  const composerFocus = { take: () => undefined };
  const handlers = composerHandlers({
    ...services,
    composer: { controller, composerFocus, suggestions: {} },
  } as unknown as PageServices);
  const page = new ScriptedPage(rig, drafts, random, (message, host) => {
    if (message.type === 'draft') handlers.draft(message, host);
    if (message.type === 'send') return handlers.send(message, host);
    return undefined;
  });
  rig.service.onPost = (post) => void pause(Math.floor(random() * 10)).then(() => post.answer());
  const attach = async (key: SessionKey, name: string) => {
    const bytes = async function* () {
      yield await Promise.resolve(new TextEncoder().encode(name));
    };
    const blob = await blobs.put(bytes(), 100);
    drafts.addAttachments(key, [
      { attachmentId: name, kind: 'image', name, mediaType: 'image/png', isUnsaved: false, ...blob },
    ]);
  };
  let typed = 0;
  let reported = 0;
  const commands: Promise<unknown>[] = [];
  for (let sent = 0; sent < sends;) {
    const chance = random();
    if (chance < 0.5) {
      if (random() < 0.2) await attach(page.host.key!, `picture ${typed}`);
      page.type(`<${typed++}>`);
      if (random() < 0.3) page.flush();
      if (random() < 0.3) await pause(Math.floor(random() * 5));
      if (page.isBlank) continue;
      page.submit();
      if (random() < 0.3) {
        // The page sends again before it shows this attachment.
        if (random() < 0.3) commands.push(attach(page.host.key!, `late picture ${typed}`).catch(() => undefined));
        page.submit();
      }
      sent++;
    } else if (chance < 0.6) {
      page.type(`<${typed++}>`);
      if (random() < 0.5) page.flush();
    } else if (chance < 0.7) {
      const text = `<${typed++}>`;
      const key = keyOf(sessionIds[Math.floor(random() * 3)]!);
      commands.push(
        outbox.enqueue(key, { text, attachments: [] }).catch(() => {
          reported++;
          sum.typed--;
          typedElsewhere.add(text);
        }),
      );
      sent++;
    } else if (chance < 0.82 && switches) page.show(keyOf(sessionIds[Math.floor(random() * 3)]!));
    else if (chance < 0.87 && !switches) {
      sum.faults++;
      disk.writeError = disk.writeError ? undefined : diskFull;
    } else if (chance < 0.93) clock.advance(Math.floor(random() * 400));
    else for (const sessionId of sessionIds) rig.poll(sessionId);
    await pause(Math.floor(random() * 4));
  }
  disk.writeError = undefined;
  await Promise.all(commands);
  await page.settled();
  page.flush();
  await page.settled();
  await until(async () => {
    await page.settled();
    await rig.idle();
    clock.advance(1_000);
    for (const sessionId of sessionIds) {
      rig.poll(sessionId);
      for (const { entryId, state } of rig.entries(sessionId)) {
        if (state !== 'notSent') continue;
        reported++;
        await outbox.sendAgain(entryId);
      }
    }
    return sessionIds.every((sessionId) => rig.entries(sessionId).length === 0);
  }, 'every message to be delivered');
  await drafts.flush();
  const arrived = counted(rig.service.arrivals.flatMap((text) => text.match(tokens) ?? []));
  const drafted = sessionIds.flatMap((sessionId) => drafts.get(keyOf(sessionId)).text.match(tokens) ?? []);
  const found = counted([...arrived.keys(), ...drafted]);
  const all = Array.from({ length: typed }, (_, index) => `<${index}>`);
  const lost = all.filter((token) => !found.has(token) && !typedElsewhere.has(token));
  const doubled = all.filter((token) => (found.get(token) ?? 0) > 1 || (arrived.get(token) ?? 0) > 1);
  const empty = rig.service.arrivals.filter((text) => text.trim() === '');
  drafts.dispose();
  await rig.close();
  sum.typed += all.length;
  sum.delivered += [...arrived.values()].filter((count) => count === 1).length;
  sum.reported += reported;
  sum.lost += lost.length;
  sum.doubled += doubled.length;
  withoutText += empty.length;
  typedElsewhere.clear();
  expect({ scriptSeed, lost, doubled, empty }).toEqual({ scriptSeed, lost: [], doubled: [], empty: [] });
}

/** The texts of commands whose message couldn't be queued. The command keeps them. */
const typedElsewhere = new Set<string>();

afterAll(() => {
  const part = `${extent.sends.toLocaleString('en')} scripted sends from a page and from commands`;
  keepTally({ part: `${part}: switching sessions, pressing Enter twice, slow and full disks`, order: 6, ...sum });
});

it(
  `keeps each text exactly once, sent or in a draft, in ${extent.sends} scripted sends, SEED=${seed}`,
  { timeout: 180_000 + extent.sends * 300 },
  async () => {
    for (let sent = 0; sent < extent.sends; sent += sendsPerScript) {
      await runScript(seed + sent, Math.min(sendsPerScript, extent.sends - sent), sent % (2 * sendsPerScript) === 0);
    }
    expect(withoutText).toBe(0);
  },
);
