import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { ApiError } from '../../src/api/errors.ts';
import type { SessionStatus } from '../../src/api/resources/session.ts';
import type { SendCondition } from '../../src/shared/protocol/vocabulary.ts';
import { isScheduled } from '../../src/state/store/outboxEntry.ts';
import { until } from '../fakes/until.ts';
import type { HeldPost, MemoryServiceHabits } from '../unit/sync/outbox/memoryService.ts';
import { keyOf, OutboxRig } from '../unit/sync/outbox/outboxRig.ts';
import { ScheduleChecks } from './scheduleChecks.ts';
import { counted, extent, keepTally, seed } from './tally.ts';

const hourMs = 3_600_000;
const diskFull = Object.assign(new Error('no space left'), { code: 'ENOSPC' });

const status = (code: number) => new ApiError('status', `status ${code}`, { sent: 'maybe', status: code });
/** The errors that a POST can fail with. Those in `refusals` only apply if the service didn't process the request. */
const refusals = {
  refused: new ApiError('unreachable', 'refused', { sent: 'no', code: 'ECONNREFUSED' }),
  tooMany: status(429),
  rejected: status(422),
};
const unknowns = {
  reset: new ApiError('unreachable', 'reset', { sent: 'maybe', code: 'ECONNRESET' }),
  deadline: new ApiError('deadline', 'too late', { sent: 'maybe' }),
  serverError: status(500),
  timeout: status(408),
  notJson: new ApiError('notJson', 'not JSON', { sent: 'maybe', status: 200 }),
  wrongShape: new ApiError('wrongShape', 'wrong shape', { sent: 'maybe', status: 200 }),
};
type Failure = keyof typeof refusals | keyof typeof unknowns;

type Disturbance = 'restart' | 'suspend' | 'offline' | 'full';
type WindowStep =
  | 'poll'
  | 'resume'
  | 'online'
  | 'free'
  | 'discard'
  | 'sendOthers'
  | 'sendNow'
  | 'changeTime'
  | Disturbance;
/** When a typed message is sent: immediately, after this many ms, or when the other session is idle. */
type Later = 'now' | 'idle' | number;
type Step =
  | { readonly do: 'type'; readonly window: 0 | 1; readonly later: Later }
  | { readonly do: WindowStep; readonly window: 0 | 1 }
  | { readonly do: 'process' | 'answer' | 'foreign' }
  | { readonly do: 'fail'; readonly how: Failure }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'set'; readonly ms: number }
  | { readonly do: 'list'; readonly fails: boolean }
  | { readonly do: 'other'; readonly status: SessionStatus };

const window = fc.constantFrom(0 as const, 1 as const);
const windowStep = (weight: number, ...what: WindowStep[]) => ({
  weight,
  arbitrary: fc.record({ do: fc.constantFrom(...what), window }),
});
/** The other session is idle half of the time. */
const otherStatus = fc.constantFrom<SessionStatus>('idle', 'idle', 'idle', 'running', 'pending', 'unknown');
const failures = [...Object.keys(refusals), ...Object.keys(unknowns)] as Failure[];
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 7,
      arbitrary: fc.record({
        do: fc.constant('type' as const),
        window,
        later: fc.constantFrom<Later>('now', 'now', 'idle', 4_000, 40_000),
      }),
    },
    windowStep(1, 'sendNow', 'changeTime'),
    { weight: 2, arbitrary: fc.record({ do: fc.constant('other' as const), status: otherStatus }) },
    windowStep(5, 'poll'),
    windowStep(2, 'restart', 'suspend', 'resume'),
    windowStep(2, 'offline', 'online', 'discard'),
    windowStep(3, 'sendOthers'),
    windowStep(1, 'full', 'free'),
    { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('process' as const, 'answer' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('foreign' as const) }) },
    { weight: 4, arbitrary: fc.record({ do: fc.constant('fail' as const), how: fc.constantFrom(...failures) }) },
    {
      weight: 5,
      arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(500, 2_000, 6_000, 35_000) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant('set' as const), ms: fc.constantFrom(hourMs, -hourMs, 20_000) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('list' as const), fails: fc.boolean() }) },
  ),
  { minLength: 8, maxLength: 40 },
);

const habits: fc.Arbitrary<Partial<MemoryServiceHabits>> = fc.record({
  order: fc.constantFrom('asc' as const, 'desc' as const),
  skewMs: fc.constantFrom(0, hourMs, -hourMs),
  listsRoles: fc.boolean(),
  replicaLagsMs: fc.constantFrom([0], [5_000], [60_000], [0, 60_000]),
  changeText: fc.constantFrom(
    (text: string) => text,
    (text: string) => text.trim(),
  ),
});

const sum = { faults: 0, typed: 0, scheduled: 0, delivered: 0, reported: 0, lost: 0, doubled: 0, early: 0 };
const sessionIds = ['s1', 's2'];

/** A schedule with two windows on one folder and a user who types and makes decisions in both. */
class Schedule {
  readonly #windows: readonly [OutboxRig, OutboxRig];
  readonly #typed: string[] = [];
  /** The texts of messages that the user discarded. The service may or may not list them. */
  readonly #discarded = new Set<string>();
  readonly #reported = new Set<string>();
  readonly #checks = new ScheduleChecks();
  #otherStatus: SessionStatus = 'idle';
  #faults = 0;

  private constructor(windows: readonly [OutboxRig, OutboxRig]) {
    this.#windows = windows;
    for (const rig of windows) rig.readSession();
    this.#service.onPost = (post) => this.#arrived(post);
  }

  static async run(taken: readonly Step[], habit: Partial<MemoryServiceHabits>): Promise<void> {
    const first = await OutboxRig.open(habit, sessionIds);
    const second = await first.secondWindow(sessionIds);
    try {
      const schedule = new Schedule([first, second]);
      for (const step of taken) await schedule.#take(step);
      await schedule.#settle();
      schedule.#check();
    } finally {
      await second.close();
      await first.close();
    }
  }

  get #service() {
    return this.#windows[0].service;
  }

  async #take(step: Step): Promise<void> {
    if (step.do === 'type') await this.#type(this.#windows[step.window], step.later);
    else if ('window' in step) await this.#takeIn(this.#windows[step.window], step.do);
    else this.#takeOutside(step);
    this.#checks.sawTime();
    await this.#idle();
  }

  #arrived({ message }: HeldPost): void {
    this.#checks.arrived(message.text.trim());
  }

  /** Polls both sessions. */
  #poll(rig: OutboxRig): void {
    if (this.#otherStatus === 'idle') this.#checks.sawIdle();
    rig.readSession('s2', this.#otherStatus);
    rig.poll();
  }

  #takeOutside(step: Exclude<Step, { window: 0 | 1 }>): void {
    const { clock } = this.#windows[0];
    const open = this.#service.posts.find((post) => post.isOpen);
    switch (step.do) {
      case 'process':
        open?.process();
        return;
      case 'answer':
        open?.answer();
        return;
      case 'foreign':
        this.#service.create('s1', `not ours ${this.#service.messages('s1').length}`);
        return;
      case 'fail':
        if (open) this.#fail(open, step.how);
        return;
      case 'wait':
        clock.advance(step.ms);
        return;
      case 'set':
        this.#faults++;
        clock.set(step.ms);
        return;
      case 'other':
        this.#otherStatus = step.status;
        return;
      case 'list':
        this.#faults++;
        this.#service.listError = step.fails ? unknowns.reset : undefined;
    }
  }

  #fail(post: HeldPost, how: Failure): void {
    this.#faults++;
    post.fail(how in refusals && !post.created ? refusals[how as keyof typeof refusals] : unknownError(how));
  }

  async #takeIn(rig: OutboxRig, what: WindowStep): Promise<void> {
    if (what === 'poll') this.#poll(rig);
    else if (what === 'resume') rig.resume();
    else if (what === 'online') rig.isOnline = true;
    else if (what === 'discard') await this.#discard(rig);
    else if (what === 'sendOthers') await this.#sendOthers(rig);
    else if (what === 'sendNow' || what === 'changeTime') await this.#reschedule(rig, what === 'sendNow');
    else if (what === 'free') rig.disk.writeError = undefined;
    else await this.#disturb(rig, what);
  }

  async #disturb(rig: OutboxRig, what: Disturbance): Promise<void> {
    this.#faults++;
    if (what === 'suspend') rig.isSuspended = true;
    else if (what === 'offline') rig.isOnline = false;
    else if (what === 'full') rig.disk.writeError = diskFull;
    else {
      rig.resume();
      await rig.restart(sessionIds);
      rig.readSession();
      if (!this.#service.listError) this.#poll(rig);
    }
  }

  /** Types a message and sends it. If it can't be saved, it stays in the composer and doesn't count as typed. */
  async #type(rig: OutboxRig, later: Later): Promise<void> {
    const text = `message ${this.#typed.length} `;
    const after = this.#conditionOf(later);
    if (after) this.#schedule(text.trim(), after);
    await rig.enqueue(text, 's1', after).then(
      () => this.#typed.push(text.trim()),
      () => this.#checks.forget(text.trim()),
    );
  }

  #schedule(text: string, after: SendCondition): void {
    this.#checks.schedule(text, after, () => this.#windows[0].clock.now());
  }

  #conditionOf(later: Later): SendCondition | undefined {
    if (later === 'now') return undefined;
    return later === 'idle'
      ? { kind: 'sessionIdle', key: { ...keyOf('s2') } }
      : { kind: 'time', at: this.#windows[0].clock.now() + later };
  }

  /** Sends the first scheduled message now, or reschedules it. Like `#discard`, doesn't wait for the result. */
  async #reschedule(rig: OutboxRig, isNow: boolean): Promise<void> {
    const entry = rig.entries().find(isScheduled);
    const after = this.#conditionOf(6_000);
    if (!entry || !after) return;
    const text = entry.text.trim();
    if (isNow) this.#checks.decide(text);
    else this.#schedule(text, after);
    const decision = isNow ? rig.outbox.sendNow(entry.entryId) : rig.outbox.reschedule(entry.entryId, after);
    void decision.catch(() => undefined);
    await rig.idle();
  }

  /**
   * Discards the newest message. Doesn't wait for the result, because the window may be suspended or waiting for the
   * other one.
   */
  async #discard(rig: OutboxRig): Promise<void> {
    const entry = rig.entries().at(-1);
    if (!entry) return;
    this.#discarded.add(entry.text.trim());
    void rig.outbox.discard(entry.entryId).catch(() => undefined);
    await rig.idle();
  }

  /** Lets later messages be sent before the first undecided one. Like `#discard`, doesn't wait for the result. */
  async #sendOthers(rig: OutboxRig): Promise<void> {
    const entry = rig.entries().find(({ state }) => state === 'notSent' || state === 'unknown');
    if (!entry) return;
    void rig.outbox.sendOthers(entry.entryId).catch(() => undefined);
    await rig.idle();
  }

  /** Ends all faults. The user then checks the conversation and decides about the remaining entries. */
  async #settle(): Promise<void> {
    this.#service.listError = undefined;
    this.#otherStatus = 'idle';
    this.#service.onPost = (post) => {
      this.#arrived(post);
      post.answer();
    };
    for (const rig of this.#windows) {
      rig.isOnline = true;
      rig.disk.writeError = undefined;
      rig.resume();
      rig.outbox.wake();
    }
    for (const post of this.#service.posts) if (post.isOpen) post.answer();
    const isOver = async () => {
      await this.#idle();
      for (const rig of this.#windows) {
        this.#poll(rig);
        this.#decide(rig);
      }
      await this.#idle();
      const isWaiting = this.#windows.some((rig) => rig.entries().some(isScheduled));
      this.#windows[0].clock.advance(isWaiting ? 60_000 : 8_000);
      const left = await this.#windows[0].disk.list('outbox');
      return left.length === 0 && this.#windows.every((rig) => rig.entries().length === 0);
    };
    await until(isOver, 'every message to be delivered or decided');
  }

  #decide(rig: OutboxRig): void {
    for (const { entryId, state, isSearching, text } of rig.entries()) {
      if (state !== 'notSent' && (state !== 'unknown' || isSearching)) continue;
      this.#reported.add(entryId);
      const isThere = this.#texts.includes(text.trim());
      this.#checks.decide(text.trim());
      const decision = isThere ? rig.outbox.discard(entryId) : rig.outbox.sendAgain(entryId);
      decision.catch(() => undefined);
    }
  }

  get #texts(): string[] {
    return this.#service.texts('s1').map((text) => text.trim());
  }

  #check(): void {
    const counts = counted(this.#texts);
    const doubled = [...counts].filter(([, count]) => count > 1).map(([text]) => text);
    const lost = this.#typed.filter((text) => !counts.has(text) && !this.#discarded.has(text));
    sum.faults += this.#faults;
    sum.typed += this.#typed.length;
    sum.scheduled += this.#checks.countIn(this.#typed);
    sum.early += this.#checks.early.length;
    sum.reported += this.#reported.size;
    sum.delivered += this.#typed.filter((text) => counts.get(text) === 1).length;
    sum.lost += lost.length;
    sum.doubled += doubled.length;
    const { early } = this.#checks;
    expect({ lost, doubled, early }).toEqual({ lost: [], doubled: [], early: [] });
  }

  async #idle(): Promise<void> {
    for (const rig of [...this.#windows, ...this.#windows]) await rig.idle();
  }
}

function unknownError(how: Failure): ApiError {
  return how in unknowns ? unknowns[how as keyof typeof unknowns] : unknowns.reset;
}

afterAll(() => {
  const part = `${extent.schedules.toLocaleString('en')} random schedules of two windows`;
  keepTally({
    part: `${part}: failing sends, restarts, suspended windows, outages, clock changes, full disks, lagging lists`,
    order: 2,
    ...sum,
  });
});

it(
  `delivers every message once or reports it, in ${extent.schedules} random schedules, SEED=${seed}`,
  { timeout: 180_000 + extent.schedules * 3_000 },
  () => {
    const path = process.env['SEED_PATH'];
    const parameters = { numRuns: extent.schedules, seed, ...(path === undefined ? {} : { path, endOnFailure: true }) };
    return fc.assert(
      fc.asyncProperty(steps, habits, (...schedule) => Schedule.run(...schedule)),
      parameters,
    );
  },
);
