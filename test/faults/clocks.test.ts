import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { ApiError } from '../../src/api/errors.ts';
import type { SessionStatus } from '../../src/api/resources/session.ts';
import { parseSendTime } from '../../src/commands/composer/sendTimes.ts';
import type { SendCondition } from '../../src/shared/protocol/vocabulary.ts';
import { isScheduled } from '../../src/state/store/outboxEntry.ts';
import { toleranceMs } from '../../src/sync/outbox/schedule.ts';
import { until } from '../fakes/until.ts';
import { keyOf, OutboxRig } from '../unit/sync/outbox/outboxRig.ts';
import { ScheduleChecks } from './scheduleChecks.ts';
import { counted, extent, keepTally, seed } from './tally.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const sessionIds = ['s1', 's2'];

/** Time zones, and start times at which their clocks are about to change or have just changed. India's never change. */
const starts = [
  { zone: 'Europe/Berlin', at: '2026-03-28T20:00:00Z' },
  { zone: 'Europe/Berlin', at: '2026-10-25T00:10:00Z' },
  { zone: 'America/Los_Angeles', at: '2026-03-08T08:30:00Z' },
  { zone: 'America/Los_Angeles', at: '2026-11-01T09:10:00Z' },
  { zone: 'Australia/Lord_Howe', at: '2026-04-04T14:50:00Z' },
  { zone: 'Asia/Kolkata', at: '2026-06-15T12:00:00Z' },
] as const;
const zones = [...new Set(starts.map(({ zone }) => zone)), 'Pacific/Kiritimati', 'UTC'];

type Computer = 0 | 1;
type Window = 0 | 1;
/** When a message is sent: after this many ms, at a time of day in minutes, or when the other session is idle. */
type Later = number | { readonly minuteOfDay: number } | 'idle';
type Step =
  | { readonly do: 'type'; readonly window: Window; readonly later: Later }
  | { readonly do: 'changeTime'; readonly window: Window; readonly later: Later }
  | { readonly do: 'sendNow' | 'restart' | 'poll'; readonly window: Window }
  /** Sets a clock forward or back. */
  | { readonly do: 'set'; readonly computer: Computer; readonly ms: number }
  /** Sets a clock to this many ms after the next time for which a message waits. */
  | { readonly do: 'setToDue'; readonly computer: Computer; readonly lateMs: number }
  | { readonly do: 'sleep'; readonly computer: Computer; readonly ms: number }
  /** Sleeps until this many ms after the next time for which a message waits. */
  | { readonly do: 'sleepAcross'; readonly computer: Computer; readonly lateMs: number }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'zone'; readonly zone: string }
  | { readonly do: 'status'; readonly status: SessionStatus }
  | { readonly do: 'fail'; readonly how: 'busy' | 'reset' | 'lost' };

const window = fc.constantFrom<Window>(0, 1);
const computer = fc.constantFrom<Computer>(0, 1);
const later = fc.oneof(
  fc.constantFrom<Later>(3 * secondMs, 45 * secondMs, 10 * minuteMs, 3 * hourMs, 2 * dayMs, 'idle', 'idle'),
  fc.integer({ min: 0, max: 24 * 60 - 1 }).map((minuteOfDay): Later => ({ minuteOfDay })),
);
const jump = fc
  .tuple(fc.constantFrom(20 * secondMs, 3 * minuteMs, hourMs, 2 * dayMs), fc.constantFrom(1, -1))
  .map(([ms, sign]) => ms * sign);
const lateMs = fc.constantFrom(-2 * secondMs, -1, 0, 30 * secondMs, toleranceMs, toleranceMs + 1, hourMs, 2 * dayMs);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('type' as const), window, later }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('changeTime' as const), window, later }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('restart' as const, 'poll' as const), window }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sendNow' as const), window }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('set' as const), computer, ms: jump }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('setToDue' as const), computer, lateMs }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('sleep' as const),
      computer,
      ms: fc.constantFrom(10 * secondMs, 50 * secondMs, 70 * secondMs, 9 * hourMs),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('sleepAcross' as const), computer, lateMs }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(500, 5 * secondMs, 40 * secondMs, 2 * minuteMs, 15 * minuteMs),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('zone' as const), zone: fc.constantFrom(...zones) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('status' as const),
      status: fc.constantFrom<SessionStatus>('idle', 'running', 'pending', 'unknown'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('fail' as const), how: fc.constantFrom('busy', 'reset', 'lost') }),
  },
);

const sum = { faults: 0, typed: 0, scheduled: 0, delivered: 0, reported: 0, lost: 0, doubled: 0, early: 0 };

/** The time for which a message was last scheduled, and the clock of the window that scheduled it. */
interface Timed {
  readonly at: number;
  readonly now: () => number;
}

/** A schedule with two windows, on one computer or on two whose clocks differ, and clocks that are set. */
class ClockSchedule {
  readonly #windows: readonly [OutboxRig, OutboxRig];
  readonly #isShared: boolean;
  readonly #offsetsMs: [number, number];
  readonly #typed: string[] = [];
  readonly #reported = new Set<string>();
  readonly #checks = new ScheduleChecks();
  readonly #timed = new Map<string, Timed>();
  /** The messages that joined the queue more than a minute late without a decision of the user. */
  readonly #late: string[] = [];
  readonly #failures: ('busy' | 'reset' | 'lost')[] = [];
  #status: SessionStatus = 'idle';
  #faults = 0;

  private constructor(windows: readonly [OutboxRig, OutboxRig], isShared: boolean, skewMs: number) {
    this.#windows = windows;
    this.#isShared = isShared;
    this.#offsetsMs = [0, isShared ? 0 : skewMs];
    this.#applyOffsets();
    this.#service.onPost = (post) => {
      const text = post.message.text.trim();
      this.#checks.arrived(text);
      this.#noteJoined(text);
      const failure = this.#failures.shift();
      if (failure === 'reset') post.fail(new ApiError('unreachable', 'reset', { sent: 'no' }));
      else if (failure === 'busy') {
        const details = { sent: 'maybe', status: 429, retryAfterMs: 2 * minuteMs } as const;
        post.fail(new ApiError('status', '429', details));
      } else if (failure === 'lost') {
        post.process();
        post.fail(new ApiError('unreachable', 'reset', { sent: 'maybe' }));
      } else post.answer();
    };
  }

  /**
   * `skewMs`: the clock of the second computer minus that of the first; undefined if both windows are on one computer.
   */
  static async run(start: (typeof starts)[number], skewMs: number | undefined, steps: readonly Step[]): Promise<void> {
    process.env['TZ'] = start.zone;
    const first = await OutboxRig.open({}, sessionIds);
    first.clock.set(new Date(start.at).getTime() - first.clock.now());
    const second = await first.secondWindow(sessionIds, skewMs === undefined ? {} : { host: 'another computer' });
    try {
      const schedule = new ClockSchedule([first, second], skewMs === undefined, skewMs ?? 0);
      for (const taken of steps) await schedule.#take(taken);
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

  async #take(taken: Step): Promise<void> {
    if ('window' in taken) await this.#takeIn(this.#windows[taken.window], taken);
    else if ('computer' in taken) await this.#takeOn(this.#isShared ? 0 : taken.computer, taken);
    else if (taken.do === 'wait') await this.#wait(taken.ms);
    else if (taken.do === 'zone') process.env['TZ'] = taken.zone;
    else if (taken.do === 'status') this.#status = taken.status;
    else {
      this.#faults++;
      this.#failures.push(taken.how);
    }
    await this.#look();
  }

  async #takeIn(rig: OutboxRig, taken: Extract<Step, { window: Window }>): Promise<void> {
    if (taken.do === 'type') await this.#type(rig, taken.later);
    else if (taken.do === 'poll') this.#poll(rig);
    else if (taken.do === 'restart') {
      this.#faults++;
      await rig.restart(sessionIds);
    } else await this.#reschedule(rig, taken.do === 'changeTime' ? taken.later : undefined);
  }

  async #takeOn(on: Computer, taken: Extract<Step, { computer: Computer }>): Promise<void> {
    const untilDueMs = this.#untilDueMs(on) ?? 0;
    this.#faults++;
    if (taken.do === 'set') this.#setClock(on, taken.ms);
    else if (taken.do === 'setToDue') this.#setClock(on, untilDueMs + taken.lateMs);
    else await this.#sleep(on, taken.do === 'sleep' ? taken.ms : Math.max(0, untilDueMs + taken.lateMs));
  }

  #setClock(on: Computer, ms: number): void {
    this.#offsetsMs[on] += ms;
    this.#applyOffsets();
    this.#checks.sawTime();
  }

  #applyOffsets(): void {
    for (const [index, rig] of this.#windows.entries()) {
      rig.clockOffsetMs = this.#offsetsMs[this.#isShared ? 0 : index] ?? 0;
    }
  }

  async #sleep(on: Computer, ms: number): Promise<void> {
    const asleep = this.#windows.filter((_, index) => this.#isShared || index === on);
    for (const rig of asleep) rig.isSuspended = true;
    await this.#wait(ms);
    for (const rig of asleep) rig.resume();
  }

  /** The time until the next message is due by the clock of a computer, in ms; undefined if none is due later. */
  #untilDueMs(on: Computer): number | undefined {
    const times = this.#windows[on].entries().flatMap((entry) => {
      return isScheduled(entry) && entry.after?.kind === 'time' ? [entry.after.at - this.#windows[on].now] : [];
    });
    const ahead = times.filter((ms) => ms > 0);
    return ahead.length > 0 ? Math.min(...ahead) : undefined;
  }

  /**
   * Lets time pass in steps. While a message is due, a step is short, so that the windows can act as on a real
   * computer.
   */
  async #wait(ms: number): Promise<void> {
    for (let restMs = ms; restMs > 0;) {
      const due = [this.#untilDueMs(0), this.#untilDueMs(1)].filter((untilMs) => untilMs !== undefined);
      const lateMs = [...this.#timed.values()].map(({ at, now }) => now() - at);
      if (lateMs.some((byMs) => byMs >= 0 && byMs <= toleranceMs)) due.push(2 * secondMs);
      const stepMs = Math.min(restMs, ...due);
      this.#windows[0].clock.advance(stepMs);
      restMs -= stepMs;
      await this.#look();
    }
  }

  async #type(rig: OutboxRig, when: Later): Promise<void> {
    const text = `message ${this.#typed.length}`;
    const after = this.#conditionOf(rig, when);
    if (!after) return;
    this.#schedule(rig, text, after);
    this.#typed.push(text);
    await rig.enqueue(text, 's1', after);
  }

  /** Undefined for a time of day that the clocks skip. */
  #conditionOf(rig: OutboxRig, when: Later): SendCondition | undefined {
    if (when === 'idle') return { kind: 'sessionIdle', key: { ...keyOf('s2') } };
    if (typeof when === 'number') return { kind: 'time', at: rig.now + when };
    const [hours, minutes] = [Math.floor(when.minuteOfDay / 60), when.minuteOfDay % 60];
    const at = parseSendTime(`${hours}:${String(minutes).padStart(2, '0')}`, rig.now);
    if (typeof at !== 'number') {
      expect(at).toBe('skipped');
      return undefined;
    }
    const local = new Date(at);
    expect([local.getHours(), local.getMinutes(), at > rig.now, at < rig.now + 25.5 * hourMs]).toEqual([
      ...[hours, minutes],
      ...[true, true],
    ]);
    return { kind: 'time', at };
  }

  #schedule(rig: OutboxRig, text: string, after: SendCondition): void {
    const now = () => rig.now;
    this.#checks.schedule(text, after, now);
    if (after.kind === 'time') this.#timed.set(text, { at: after.at, now });
    else this.#timed.delete(text);
  }

  /** Changes what the first scheduled message waits for to `when`; sends the message now if `when` is undefined. */
  async #reschedule(rig: OutboxRig, when: Later | undefined): Promise<void> {
    const entry = rig.entries().find(isScheduled);
    const after = when === undefined ? undefined : this.#conditionOf(rig, when);
    if (!entry || (when !== undefined && !after)) return;
    if (after) this.#schedule(rig, entry.text, after);
    else this.#decide(entry.text);
    const decision = after ? rig.outbox.reschedule(entry.entryId, after) : rig.outbox.sendNow(entry.entryId);
    void decision.catch(() => undefined);
    await rig.idle();
  }

  #decide(text: string): void {
    this.#checks.decide(text);
    this.#timed.delete(text);
  }

  #poll(rig: OutboxRig): void {
    if (rig.isSuspended) return;
    if (this.#status === 'idle') this.#checks.sawIdle();
    rig.readSession('s2', this.#status);
    rig.readSession('s1', 'idle');
    rig.poll();
  }

  /** Lets the windows act, and notes which messages joined the queue. */
  async #look(): Promise<void> {
    this.#checks.sawTime();
    for (const rig of [...this.#windows, ...this.#windows]) await rig.idle();
    for (const rig of this.#windows) {
      for (const entry of rig.entries()) if (entry.after === undefined) this.#noteJoined(entry.text.trim());
    }
  }

  #noteJoined(text: string): void {
    const timed = this.#timed.get(text);
    if (!timed) return;
    this.#timed.delete(text);
    if (timed.now() - timed.at > toleranceMs) this.#late.push(text);
  }

  /** Ends all faults, lets all times pass, and decides about the messages that are shown to the user. */
  async #settle(): Promise<void> {
    this.#failures.length = 0;
    this.#status = 'idle';
    const startedAt = this.#windows[0].clock.now();
    await until(async () => {
      for (const rig of this.#windows) {
        this.#poll(rig);
        for (const { entryId, state, isSearching, text } of rig.entries()) {
          if (state !== 'notSent' && (state !== 'unknown' || isSearching)) continue;
          this.#reported.add(entryId);
          this.#decide(text);
          const isThere = this.#service.texts('s1').includes(text);
          const decision = isThere ? rig.outbox.discard(entryId) : rig.outbox.sendAgain(entryId);
          decision.catch(() => undefined);
        }
      }
      await this.#look();
      // Waiting for days would take long even with a clock that the test controls, so set the clocks.
      for (const on of [0, 1] as const) {
        const untilDueMs = this.#untilDueMs(on) ?? 0;
        if (untilDueMs > minuteMs) this.#setClock(this.#isShared ? 0 : on, untilDueMs - secondMs);
      }
      await this.#wait(70 * secondMs);
      // A clock that was set back must not stop a window until it has caught up.
      expect(this.#windows[0].clock.now() - startedAt).toBeLessThan(3 * hourMs);
      return this.#windows.every((rig) => rig.entries().length === 0);
    }, 'every message to be delivered or decided');
  }

  #check(): void {
    const counts = counted(this.#service.texts('s1'));
    const doubled = [...counts].filter(([, count]) => count > 1).map(([text]) => text);
    const lost = this.#typed.filter((text) => !counts.has(text));
    const { early } = this.#checks;
    sum.faults += this.#faults;
    sum.typed += this.#typed.length;
    sum.scheduled += this.#checks.countIn(this.#typed);
    sum.early += early.length;
    sum.reported += this.#reported.size;
    sum.delivered += this.#typed.filter((text) => counts.get(text) === 1).length;
    sum.lost += lost.length;
    sum.doubled += doubled.length;
    expect({ lost, doubled, early, late: this.#late }).toEqual({ lost: [], doubled: [], early: [], late: [] });
  }
}

let zone: string | undefined;
beforeEach(() => (zone = process.env['TZ']));
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

afterAll(() => {
  const part = `${extent.clocks.toLocaleString('en')} random schedules of scheduled messages`;
  keepTally({
    part: `${part}: clocks set by minutes, hours, and days, sleeping computers, time zones, clocks that differ`,
    order: 8,
    ...sum,
  });
});

it(
  `sends each scheduled message once and on time, or asks, in ${extent.clocks} random schedules, SEED=${seed}`,
  { timeout: 180_000 + extent.clocks * 3_000 },
  () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...starts),
        fc.constantFrom(undefined, undefined, 0, 5 * minuteMs, -5 * minuteMs, hourMs, -hourMs, 2 * dayMs),
        fc.array(step, { minLength: 6, maxLength: 30 }),
        ClockSchedule.run.bind(ClockSchedule),
      ),
      { numRuns: extent.clocks, seed },
    ),
);
