import { type ChildProcess, fork } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../unit/sync/outbox/outboxRig.ts';
import type { CommentReport, CommentTask, ReportedDraft } from './windows/commentWindow.ts';
import { nowMs } from './windows/machineClock.ts';
import { undeliveredIn } from './leftFiles.ts';
import type { WindowCall } from './windows/playedApi.ts';
import { PlayedService } from './playedService.ts';
import { ScheduleChecks } from './scheduleChecks.ts';
import { counted, extent, keepTally, seed, seeded } from './tally.ts';

const speed = 50;
const editsPerWindow = 25;
/** A version of a comment, or a piece of the draft's text. */
const tokens = /<[^>]+>|\[[^\]]+\]/g;

/** A text of a comment, and when a window wrote it, in ms of the machine's clock. */
interface CommentVersion {
  readonly text: string;
  readonly window: string;
  readonly startedAt: number;
  /** The time of the window's report that it wrote the text, or else the end of the window. */
  endedAt: number;
  /** Whether the window reported that the text is on disk. */
  isSaved: boolean;
}

/** What the windows have reported about a comment. */
interface KnownComment {
  readonly versions: Map<string, CommentVersion>;
  isRemoving: boolean;
  /** Whether a window removed it on disk, and no other window saved a version in this round. */
  isRemoved: boolean;
  /** The windows that saved a version in this round. */
  readonly savedBy: Set<string>;
}

/** Runs windows that edit and send one draft, each in its own process, and kills some of them. */
class CommentTrial {
  readonly #folder: string;
  readonly #random: () => number;
  readonly #service: PlayedService;
  readonly #startedAt = Date.now();
  readonly #comments = new Map<string, KnownComment>();
  readonly #texts = new Set<string>();
  readonly #reported = new Set<string>();
  /** What happened, in order, to help explain a failure. */
  readonly #story: string[] = [];
  #draft: ReportedDraft = { text: '', comments: [] };
  #windows = 0;
  kills = 0;

  constructor(folder: string, random: () => number) {
    this.#folder = folder;
    this.#random = random;
    const now = () => this.#startedAt + (Date.now() - this.#startedAt) * speed;
    const changeText = (text: string) => text;
    this.#service = new PlayedService({ random, now, checks: new ScheduleChecks(), skewMs: 0, changeText });
  }

  /** Runs one or two windows on the draft, and kills one of them. */
  async round(): Promise<void> {
    for (const known of this.#comments.values()) known.savedBy.clear();
    const isPair = this.#random() < 0.5;
    const killed = isPair && this.#random() < 0.3 ? 1 : 0;
    const atSend = this.#random() < 0.6;
    const afterMs = this.#random() * (atSend ? 30 : 500);
    const kill = { on: atSend && killed === 0 ? 'sending' : 'ready', afterMs } as const;
    await Promise.all([
      this.#run({ sends: true, edits: editsPerWindow, isLast: false }, killed === 0 ? kill : undefined),
      ...(isPair
        ? [this.#run({ sends: false, edits: editsPerWindow, isLast: false }, killed === 1 ? kill : undefined)]
        : []),
    ]);
  }

  /** Runs a final window without faults, and checks where the comments are. */
  async check(part: string, order: number): Promise<void> {
    this.#service.isWell = true;
    await this.#run({ sends: true, edits: 0, isLast: true }, undefined);
    const drafted = this.#draft.comments.map(({ text }) => text).concat(this.#draft.text.match(tokens) ?? []);
    const sent = this.#service.contents.flatMap(({ text }) => text.match(tokens) ?? []);
    const found = new Set([...drafted, ...sent]);
    const kept = [...this.#comments.values()].filter(({ isRemoving }) => !isRemoving);
    const lostVersions = kept.map(lastVersions).filter((versions) => !versions.some((version) => found.has(version)));
    const lostTexts = [...this.#texts].filter((token) => !found.has(token));
    const lost = [...lostVersions.flat(), ...lostTexts];
    const doubled = [...counted([...drafted, ...sent])].filter(([, times]) => times > 1).map(([token]) => token);
    const ids = this.#draft.comments.map(({ commentId }) => commentId);
    const back = ids.filter((commentId) => this.#comments.get(commentId)?.isRemoved);
    keepTally({
      ...{ part, order, typed: this.#comments.size + this.#texts.size, reported: this.#reported.size },
      faults: this.kills + this.#service.faultCount,
      delivered: new Set(sent).size,
      ...{ lost: lost.length, doubled: doubled.length + back.length },
    });
    expect({ lost, doubled, back }, this.#storyOf([...lost, ...doubled, ...back])).toEqual({
      ...{ lost: [], doubled: [], back: [] },
    });
    expect(ids).toEqual([...new Set(ids)]);
    expect(await undeliveredIn(this.#folder)).toEqual([]);
    expect(await readdir(join(this.#folder, 'comments'))).toHaveLength(ids.length);
  }

  /** The events of the comments to which these versions or IDs belong, and of the windows. */
  #storyOf(wanted: readonly string[]): string {
    const ids = wanted.map((token) => token.replace(/^<([^.]+)\..*$/, '$1'));
    return this.#story.filter((event) => !event.includes('-') || ids.some((id) => event.includes(id))).join('\n');
  }

  #record(name: string, event: string): void {
    this.#story.push(`${Date.now() - this.#startedAt} ms: ${name} ${event}`);
  }

  async #run(
    options: Pick<CommentTask, 'sends' | 'edits' | 'isLast'>,
    kill: { readonly on: 'sending' | 'ready'; readonly afterMs: number } | undefined,
  ): Promise<void> {
    const name = `w${this.#windows++}`;
    const windowSeed = Math.floor(this.#random() * 2 ** 31);
    const clock = { speed, startedAt: this.#startedAt };
    const task: CommentTask = { folder: this.#folder, seed: windowSeed, name, ...clock, ...options };
    const child = fork(join(import.meta.dirname, 'windows', 'commentWindow.ts'), [JSON.stringify(task)], {
      execArgv: ['--no-warnings'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    let isKilled = false;
    child.on('message', (message: WindowCall | CommentReport) => {
      if (!('call' in message) || message.call === 'add') this.#record(name, JSON.stringify(message));
      if ('call' in message) this.#answer(child, message);
      else this.#take(name, message);
      if (!kill || isKilled || !(kill.on in message)) return;
      isKilled = true;
      setTimeout(() => {
        if (!child.kill('SIGKILL')) return;
        this.#record(name, 'killed');
        this.kills++;
      }, kill.afterMs);
    });
    await new Promise<void>((resolve) => child.on('close', () => resolve()));
    const versions = [...this.#comments.values()].flatMap((known) => [...known.versions.values()]);
    for (const version of versions) if (version.window === name) version.endedAt = Math.min(version.endedAt, nowMs());
  }

  #answer(child: ChildProcess, call: WindowCall): void {
    const reply = this.#service.take(call);
    if (child.connected) child.send(reply, () => undefined);
  }

  #take(name: string, message: CommentReport): void {
    if ('draft' in message) this.#draft = message.draft;
    else if ('reported' in message) this.#reported.add(message.reported);
    else if ('changing' in message) this.#changing(name, message.changing, message.version, message.at);
    else if ('removing' in message) this.#removed(name, message.removing, false);
    else if ('removed' in message) this.#removed(name, message.removed, true);
    else if ('saved' in message && message.version === undefined) this.#texts.add(message.saved);
    else if ('saved' in message) this.#saved(name, message.saved, message.version ?? '', message.at);
  }

  #removed(name: string, commentId: string, isOnDisk: boolean): void {
    const known = this.#known(commentId);
    known.isRemoving = true;
    known.isRemoved = isOnDisk && [...known.savedBy].every((other) => other === name);
  }

  #changing(window: string, commentId: string, text: string, startedAt: number): CommentVersion {
    const version = { text, window, startedAt, endedAt: Infinity, isSaved: false };
    this.#known(commentId).versions.set(text, version);
    return version;
  }

  #saved(name: string, commentId: string, text: string, at: number): void {
    const known = this.#known(commentId);
    const version = known.versions.get(text) ?? this.#changing(name, commentId, text, 0);
    version.endedAt = at;
    version.isSaved = true;
    known.isRemoved = false;
    known.savedBy.add(name);
  }

  /** Adds a comment that isn't known yet: another window can remove it before the window that added it reports it. */
  #known(commentId: string): KnownComment {
    const known = this.#comments.get(commentId) ?? {
      ...{ versions: new Map<string, CommentVersion>(), isRemoving: false, isRemoved: false },
      savedBy: new Set<string>(),
    };
    this.#comments.set(commentId, known);
    return known;
  }
}

/**
 * The versions of which one must remain: all but those that were written before a window began to write another one. Of
 * versions that two windows wrote at the same time, any can be the last. Empty if no window reported that it saved one.
 */
function lastVersions({ versions }: KnownComment): readonly string[] {
  const saved = [...versions.values()].filter(({ isSaved }) => isSaved);
  if (saved.length === 0) return [];
  const lastStartedAt = Math.max(...saved.map(({ startedAt }) => startedAt));
  return [...versions.values()].filter(({ endedAt }) => endedAt >= lastStartedAt).map(({ text }) => text);
}

it(
  `neither loses nor doubles a comment of a draft when windows are killed ${extent.comments} times, SEED=${seed}`,
  { timeout: 60_000 + extent.comments * 15_000 },
  async () => {
    const folder = await temporaryFolder();
    try {
      const trial = new CommentTrial(folder.path, seeded(seed + 3));
      while (trial.kills < extent.comments) await trial.round();
      await trial.check('Comments of a draft that two windows edit and one sends, one of them killed (SIGKILL)', 9);
    } finally {
      await folder.remove();
    }
  },
);
