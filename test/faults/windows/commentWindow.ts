/**
 * A window that can be killed: it edits the text and the comments of a draft, and sends them. Another window may edit
 * the same draft.
 */
import './vscodeStub.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { translator } from '../../../src/shared/translate.ts';
import type { DraftComment } from '../../../src/state/store/sessionRecord.ts';
import { Drafts } from '../../../src/sync/drafts/drafts.ts';
import type { SessionReader } from '../../../src/sync/sessionReader.ts';
import { noTerminals } from '../../fakes/terminals.ts';
import { api, ask } from './playedApi.ts';
import { seeded } from '../tally.ts';
import { nowMs } from './machineClock.ts';
import { type ClockTask, fastClock, origin, ProcessWindow } from './windowParts.ts';

/**
 * A report from the window, and the time at which it was made (`nowMs`). `saved`: this version of a comment, or this
 * text, is on disk, and must not be lost from now on. `changing`: the user changes a comment, and this version may be
 * on disk from now on. `removing`: the user removes a comment. `removed`: the comment is removed on disk. `reported`:
 * the user decides about an entry. `sending`: the user sends the draft. `ready`: the window starts to edit. `draft`:
 * the draft at the end of the last window.
 */
export type CommentReport = WindowReport & { readonly at: number };

type WindowReport =
  | { readonly saved: string; readonly version?: string }
  | { readonly changing: string; readonly version: string }
  | { readonly removing: string }
  | { readonly removed: string }
  | { readonly reported: string }
  | { readonly sending: true }
  | { readonly ready: true }
  | { readonly draft: ReportedDraft };

export interface ReportedDraft {
  readonly text: string;
  readonly comments: readonly DraftComment[];
}

/** The window's first argument, as JSON. */
export interface CommentTask extends ClockTask {
  readonly folder: string;
  readonly seed: number;
  /** Distinguishes the IDs of this window's comments. */
  readonly name: string;
  /**
   * Whether the window sends the draft. Only one window does, so that no two send the same comment at the same time.
   */
  readonly sends: boolean;
  readonly edits: number;
  /** Whether the window reports the draft at the end, when all messages are delivered. */
  readonly isLast: boolean;
}

const task = JSON.parse(process.argv[2] ?? '{}') as CommentTask;
const random = seeded(task.seed);
const key = { origin, sessionId: 's1' };
const t = translator('en');
const lookEveryMs = 20;
const longestPauseMs = 15;

const { ComposerController } = await import('../../../src/commands/composer/composerController.ts');
const { Attachments } = await import('../../../src/commands/attachments/attachments.ts');

const { window, drafts } = await open();
const { store, outbox, blobs } = window;
const attachments = new Attachments(blobs, drafts, noTerminals, t);
const sessions = {} as unknown as SessionReader;
const composer = new ComposerController({ store, sessions, drafts, outbox, blobs, attachments, log: silentLog, t });
const report = (message: WindowReport) => process.send?.({ ...message, at: nowMs() } satisfies CommentReport);
let count = 0;

async function open(): Promise<{ window: ProcessWindow; drafts: Drafts }> {
  const clock = fastClock(task);
  let drafts: Drafts | undefined;
  const opened = await ProcessWindow.open(task.folder, clock, api, {
    draftsOf: (parts) => (drafts = new Drafts({ ...parts, clock, log: silentLog })),
  });
  if (!drafts) throw new Error('no drafts');
  opened.store.addSession({ key, addedAt: 1 });
  await drafts.load();
  await opened.load([]);
  return { window: opened, drafts };
}

/** Saves the drafts, and reports what is on disk now. */
async function save(...reports: readonly WindowReport[]): Promise<void> {
  await drafts.flush();
  for (const message of reports) report(message);
}

async function edit(): Promise<void> {
  const { comments, text } = drafts.get(key);
  // A window that doesn't send changes only its own comments, so that the last text of most comments is known.
  const own = comments.filter(({ commentId }) => task.sends || commentId.startsWith(`${task.name}-`));
  const changed = own[Math.floor(random() * own.length)];
  const any = comments[Math.floor(random() * comments.length)];
  const chance = random();
  if (chance < 0.4 || !any) {
    const commentId = `${task.name}-${count++}`;
    const comment = { commentId, messageId: 'm1', quote: `quote of ${commentId}`, offset: 0, text: `<${commentId}.0>` };
    drafts.addComment(key, comment);
    await save({ saved: commentId, version: comment.text });
  } else if (chance < 0.6 && changed) {
    const { commentId } = changed;
    const version = `<${commentId}.${task.name}-${count++}>`;
    report({ changing: commentId, version });
    drafts.changeComment(key, commentId, version);
    await save({ saved: commentId, version });
  } else if (chance < 0.7) {
    report({ removing: any.commentId });
    drafts.changeComment(key, any.commentId, undefined);
    await save({ removed: any.commentId });
  } else if (chance < 0.85 || !task.sends) {
    // The text of a draft is that of the last edit, so only one window types.
    if (!task.sends) return;
    const typed = `[${task.name}-${count++}]`;
    const whole = `${text}${typed}`;
    drafts.setText(key, { text: whole, selectionStart: whole.length, selectionEnd: whole.length });
    await save({ saved: typed });
  } else {
    report({ sending: true });
    await composer.send(key, { text }).catch(() => undefined);
  }
}

async function poll(): Promise<void> {
  const page = await api.listMessages(key.sessionId).catch(() => undefined);
  if (page) store.takeMessages(key, page.messages);
}

/** Decides as a user would: discards messages that the conversation already contains and sends the others again. */
async function decide(): Promise<void> {
  for (const { entryId, state, isSearching, text } of store.record(key)?.outbox ?? []) {
    if (state !== 'notSent' && (state !== 'unknown' || isSearching)) continue;
    report({ reported: entryId });
    const reply = await ask({ call: 'has', sessionId: key.sessionId, text });
    void ('has' in reply && reply.has ? outbox.discard(entryId) : outbox.sendAgain(entryId));
  }
}

report({ ready: true });
for (let edits = 0; edits < task.edits; edits++) {
  await edit();
  if (random() < 0.3) await poll();
  await new Promise((resolve) => setTimeout(resolve, random() * longestPauseMs));
}
while (window.leftCount > 0) {
  await poll();
  await decide();
  await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
}
if (task.isLast) report({ draft: { text: drafts.get(key).text, comments: drafts.get(key).comments } });
await drafts.flush();
drafts.dispose();
await window.close();
process.exit(0);
