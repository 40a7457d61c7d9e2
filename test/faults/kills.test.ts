import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../unit/sync/outbox/outboxRig.ts';
import { undeliveredIn } from './leftFiles.ts';
import { PlayedService } from './playedService.ts';
import { ScheduleChecks } from './scheduleChecks.ts';
import { counted, extent, keepTally, seed, seeded } from './tally.ts';
import type { WindowCall } from './windows/playedApi.ts';
import type { WindowReport, WindowTask } from './windows/windowProcess.ts';

const typedPerWindow = 3;
/** The speed of the windows' clock relative to real time. At this speed, 30 s of silence take 0.6 s. */
const speed = 50;
const hourMs = 3_600_000;

/** Runs windows that share a folder, each in its own process, and kills or suspends them at random times. */
class Trial {
  readonly folder: Awaited<ReturnType<typeof temporaryFolder>>;
  readonly service: PlayedService;
  readonly typed = new Set<string>();
  readonly reported = new Set<string>();
  readonly #checks = new ScheduleChecks();
  readonly random: () => number;
  /** The events for each message text, in order, to help explain a failure. */
  readonly #story: { readonly text: string; readonly at: string }[] = [];
  readonly #startedAt = Date.now();
  #number = 0;
  kills = 0;
  stops = 0;

  private constructor(folder: Trial['folder'], random: () => number) {
    this.folder = folder;
    this.random = random;
    const now = () => this.#now();
    const skewMs = [0, hourMs, -hourMs][Math.floor(random() * 3)] ?? 0;
    const changeText = random() < 0.5 ? (text: string) => text : (text: string) => text.trim();
    this.service = new PlayedService({ random, now, checks: this.#checks, skewMs, changeText });
  }

  static async begin(random: () => number): Promise<Trial> {
    return new Trial(await temporaryFolder(), random);
  }

  /** Runs one window until it ends, or until `onCall` kills it. */
  async window(typedCount: number, onCall: (child: ChildProcess) => void): Promise<void> {
    const [from, to] = [this.#number, (this.#number += typedCount)];
    const common = { speed, startedAt: this.#startedAt, seed: Math.floor(this.random() * 2 ** 31) };
    const task: WindowTask = { folder: this.folder.path, from, to, ...common };
    const child = fork(join(import.meta.dirname, 'windows', 'windowProcess.ts'), [JSON.stringify(task)], {
      execArgv: ['--no-warnings'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.on('message', (message: WindowCall | WindowReport) => {
      if ('typed' in message) this.typed.add(message.typed.trim());
      else if ('scheduled' in message)
        this.#checks.schedule(message.scheduled.trim(), message.after, () => this.#now());
      else if ('reported' in message) this.#decide(message.reported, message.text);
      else this.#answer(child, message, onCall);
    });
    await new Promise<void>((resolve) => child.on('close', () => resolve()));
  }

  /** The time by the clock of the windows, in Unix ms. */
  #now(): number {
    return this.#startedAt + (Date.now() - this.#startedAt) * speed;
  }

  #decide(entryId: string, text: string): void {
    this.reported.add(entryId);
    this.#checks.decide(text.trim());
  }

  #record(text: string, event: string): void {
    this.#story.push({ text: text.trim(), at: `${Date.now() - this.#startedAt} ms: ${event}` });
  }

  #storyOf(texts: readonly string[]): string {
    const related = this.#story.filter(({ text }) => text === '' || texts.includes(text));
    return related.map(({ text, at }) => `${at} ${text}`).join('\n');
  }

  #answer(child: ChildProcess, call: WindowCall, onCall: (child: ChildProcess) => void): void {
    const isBefore = this.random() < 0.5;
    if (isBefore) onCall(child);
    const reply = this.service.take(call);
    if ('text' in call) this.#record(call.text, `${child.pid ?? 0} ${call.call} ${JSON.stringify(reply)}`);
    if (child.connected) child.send(reply, () => undefined);
    if (!isBefore) setImmediate(() => onCall(child));
  }

  /** Returns a callback that kills a window at call number `at`. */
  killAt(at: number): (child: ChildProcess) => void {
    let calls = 0;
    return (child) => {
      if (++calls !== at) return;
      this.kills++;
      this.#record('', `${child.pid ?? 0} killed`);
      child.kill('SIGKILL');
    };
  }

  /** Returns a callback that suspends a window at call number `at` for `forMs`. */
  stopAt(at: number, forMs: number): (child: ChildProcess) => void {
    let calls = 0;
    return (child) => {
      if (++calls !== at) return;
      this.stops++;
      this.#record('', `${child.pid ?? 0} suspended for ${Math.round(forMs)} ms`);
      child.kill('SIGSTOP');
      setTimeout(() => child.kill('SIGCONT'), forMs);
    };
  }

  /** Runs a final window without faults, then checks that every typed message is listed once with its attachment. */
  async check(part: string, order: number): Promise<void> {
    this.service.isWell = true;
    await this.window(0, () => undefined);
    const { contents, faultCount } = this.service;
    const counts = counted(contents.map(({ text }) => text.trim()));
    const typed = [...this.typed];
    const doubled = [...counts].filter(([, count]) => count > 1).map(([text]) => text);
    keepTally({
      ...{ part, order, typed: typed.length, scheduled: this.#checks.countIn(typed), reported: this.reported.size },
      faults: faultCount + this.kills + this.stops,
      delivered: typed.filter((text) => counts.get(text) === 1).length,
      lost: typed.filter((text) => !counts.has(text)).length,
      doubled: doubled.length,
      early: this.#checks.early.length,
    });
    expect(this.#checks.early, this.#storyOf(this.#checks.early)).toEqual([]);
    expect(doubled, this.#storyOf(doubled)).toEqual([]);
    expect(typed.filter((text) => !counts.has(text))).toEqual([]);
    for (const { text, file } of contents) expect(file.trim()).toBe(`bytes of ${text.trim()}`);
    expect(await undeliveredIn(this.folder.path)).toEqual([]);
  }
}

const timeout = 60_000 + (extent.kills + extent.pairs) * 15_000;

it(
  `loses and duplicates no message when a window is killed ${extent.kills} times (R34), SEED=${seed}`,
  { timeout },
  async () => {
    const trial = await Trial.begin(seeded(seed));
    try {
      while (trial.kills < extent.kills) {
        await trial.window(typedPerWindow, trial.killAt(1 + Math.floor(trial.random() * 25)));
      }
      await trial.check('A window killed (SIGKILL) at a random time while the service fails, and restarted', 3);
    } finally {
      await trial.folder.remove();
    }
  },
);

// Windows has no SIGSTOP, which the test needs to suspend a process.
it.skipIf(process.platform === 'win32')(
  `loses and duplicates no message in two windows when one is killed or suspended, ${extent.pairs} times (R35), SEED=${seed}`,
  { timeout },
  async () => {
    const trial = await Trial.begin(seeded(seed + 1));
    try {
      for (let pair = 0; pair < extent.pairs; pair++) {
        const at = 1 + Math.floor(trial.random() * 25);
        const stopMs = 50 + trial.random() * 1_500;
        const disturb = trial.random() < 0.4 ? trial.killAt(at) : trial.stopAt(at, stopMs);
        await Promise.all([trial.window(typedPerWindow, disturb), trial.window(typedPerWindow, () => undefined)]);
      }
      await trial.check('Two windows on one folder, one of them killed or suspended (SIGSTOP, SIGCONT)', 4);
    } finally {
      await trial.folder.remove();
    }
  },
);
