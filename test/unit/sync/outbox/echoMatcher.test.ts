import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import { matchedMessageId } from '../../../../src/state/store/outboxEntry.ts';
import type { SessionRecord } from '../../../../src/state/store/sessionRecord.ts';
import { until } from '../../../fakes/until.ts';
import type { HeldPost } from './memoryService.ts';
import { OutboxRig, keyOf } from './outboxRig.ts';

/** The rows of a conversation: the listed messages, followed by the outbox entries that aren't listed yet. */
function bubblesOf(record: SessionRecord): { text: string; entryId: string | undefined }[] {
  const matched = new Map(record.outbox.map((entry) => [matchedMessageId(entry), entry.entryId]));
  const listed = new Set(record.headers.map(({ messageId }) => messageId));
  const own = ({ messageId }: MessageHeader) => matched.get(messageId) ?? record.entryIdByMessageId.get(messageId);
  return [
    ...record.headers.map((header) => ({ text: header.firstLine, entryId: own(header) })),
    ...record.outbox
      .filter((entry) => !listed.has(matchedMessageId(entry) ?? ''))
      .map(({ text, entryId }) => ({ text, entryId })),
  ];
}

type Step =
  | { readonly do: 'type' | 'foreign'; readonly text: string }
  | { readonly do: 'process' | 'answer' | 'poll' | 'wait' | 'restart' }
  | { readonly do: 'fail'; readonly how: 'reset' | 'refused' | 'rejected' };

function steps(texts: readonly string[]): fc.Arbitrary<Step[]> {
  const text = fc.constantFrom(...texts);
  const event = fc.constantFrom('process' as const, 'answer' as const, 'poll' as const, 'wait' as const);
  const how = fc.constantFrom('reset' as const, 'refused' as const, 'rejected' as const);
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant('type' as const), text }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('foreign' as const), text }) },
    { weight: 8, arbitrary: fc.record({ do: event }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('fail' as const), how }) },
  );
  return fc.array(step, { minLength: 5, maxLength: 25 });
}

/** A scenario with messages typed in this window and elsewhere. Checks the rows after every store change. */
class Run {
  readonly rig: OutboxRig;
  readonly #hasSameTexts: boolean;
  typed: string[] = [];
  foreign: string[] = [];
  readonly violations: string[] = [];
  #number = 0;

  constructor(rig: OutboxRig, hasSameTexts: boolean) {
    this.rig = rig;
    this.#hasSameTexts = hasSameTexts;
    this.watch();
  }

  /** Reads the session, then checks the rows after every change to the messages or the outbox. */
  watch(): void {
    this.rig.readSession();
    this.rig.store.onDidChange((change) => {
      if (change.type === 'messages' || change.type === 'outbox') this.look(change.type);
    });
  }

  /**
   * Checks that no entry has two rows and that no text appears more often than it was typed. If all texts differ, also
   * checks that every typed text has a row.
   */
  look(when: string): void {
    const record = this.rig.store.record(keyOf('s1'));
    const bubbles = record ? bubblesOf(record) : [];
    const entryIds = bubbles.flatMap(({ entryId }) => entryId ?? []);
    if (new Set(entryIds).size < entryIds.length) this.violations.push(`${when}: one entry has two rows`);
    for (const text of new Set(bubbles.map((bubble) => bubble.text))) {
      const shown = bubbles.filter((bubble) => bubble.text === text).length;
      const meant = [...this.typed, ...this.foreign].filter((other) => other === text).length;
      if (shown > meant) this.violations.push(`${when}: "${text}" has ${shown} rows, expected ${meant}`);
    }
    if (this.#hasSameTexts) return;
    for (const text of this.typed) {
      if (!bubbles.some((bubble) => bubble.text === text)) this.violations.push(`${when}: "${text}" has no row`);
    }
  }

  async take(step: Step): Promise<void> {
    const { rig } = this;
    const open = rig.service.posts.find((post) => post.isOpen);
    if (step.do === 'type') {
      this.typed.push(this.#name(step.text));
      await rig.enqueue(this.typed.at(-1) ?? '');
    } else if (step.do === 'foreign') {
      this.foreign.push(this.#name(step.text));
      rig.service.create('s1', this.foreign.at(-1) ?? '');
    } else if (step.do === 'process') open?.process();
    else if (step.do === 'answer') open?.answer();
    else if (step.do === 'poll') rig.poll();
    else if (step.do === 'wait') rig.clock.advanceToNext();
    else if (step.do === 'restart') await this.#restart();
    else if ('how' in step && open) failPost(open, step.how);
    await rig.idle();
  }

  /** Completes all POSTs, then polls and sends the remaining entries again until every message is listed. */
  async settle(): Promise<void> {
    const { rig } = this;
    rig.service.onPost = (post) => post.answer();
    for (const post of rig.service.posts) if (post.isOpen) post.answer();
    await until(async () => {
      await rig.idle();
      rig.poll();
      for (const entry of rig.entries()) {
        if (entry.state === 'notSent' || (entry.state === 'unknown' && !entry.isSearching))
          await rig.outbox.sendAgain(entry.entryId);
      }
      rig.clock.advance(8_000);
      return rig.entries().length === 0;
    }, 'every message to be listed');
  }

  #name(text: string): string {
    return this.#hasSameTexts ? text : `${text} ${++this.#number}`;
  }

  async #restart(): Promise<void> {
    for (const post of this.rig.service.posts)
      if (post.isOpen) post.fail(new ApiError('cancelled', 'x', { sent: 'maybe' }));
    await this.rig.restart();
    this.watch();
    this.rig.poll();
  }
}

function failPost(post: HeldPost, how: 'reset' | 'refused' | 'rejected'): void {
  if (how === 'reset' || post.created) post.fail(new ApiError('unreachable', 'reset', { sent: 'maybe' }));
  else if (how === 'refused') post.fail(new ApiError('unreachable', 'refused', { sent: 'no' }));
  else post.fail(new ApiError('status', '422', { sent: 'maybe', status: 422 }));
}

async function run(
  taken: readonly Step[],
  order: 'asc' | 'desc',
  skewMs: number,
  hasSameTexts: boolean,
): Promise<void> {
  const rig = await OutboxRig.open({ order, skewMs });
  try {
    const schedule = new Run(rig, hasSameTexts);
    for (const step of taken) await schedule.take(step);
    await schedule.settle();
    schedule.look('at the end');
    expect(schedule.violations).toEqual([]);
    if (!hasSameTexts) expect(rig.service.texts('s1').sort()).toEqual([...schedule.typed, ...schedule.foreign].sort());
    else expect(rig.service.texts('s1').length).toBeLessThanOrEqual(schedule.typed.length + schedule.foreign.length);
  } finally {
    await rig.close();
  }
}

const order = fc.constantFrom('asc' as const, 'desc' as const);
const skewMs = fc.constantFrom(0, 3_600_000, -3_600_000);

/** The number of random schedules per property. For a longer run, set `SCHEDULES=1000`. */
const numRuns = Number(process.env['SCHEDULES'] ?? 40);

describe('one row for each message, regardless of arrival order (R33)', () => {
  it(
    'sends each message exactly once and always shows it exactly once if all texts differ',
    { timeout: 180_000 + numRuns * 500 },
    () =>
      fc.assert(
        fc.asyncProperty(steps(['hello', 'go on']), order, skewMs, (...schedule) => run(...schedule, false)),
        { numRuns },
      ),
  );

  it(
    'never shows or sends the same text typed here and elsewhere more often than it was typed',
    { timeout: 180_000 + numRuns * 500 },
    () =>
      fc.assert(
        fc.asyncProperty(steps(['go on', 'yes']), order, skewMs, (...schedule) => run(...schedule, true)),
        { numRuns },
      ),
  );

  it('holds after a window ended during its first send to a service whose clock is behind', () =>
    run(
      [
        { do: 'type', text: 'hello' },
        { do: 'fail', how: 'refused' },
        { do: 'restart' },
        { do: 'process' },
        { do: 'type', text: 'hello' },
        { do: 'restart' },
        { do: 'fail', how: 'reset' },
      ],
      'asc',
      -3_600_000,
      false,
    ));

  describe('our entry, when another client sends the same text in the meantime', () => {
    let rig: OutboxRig;
    beforeEach(async () => {
      rig = await OutboxRig.open();
      rig.readSession();
    });
    afterEach(() => rig.close());
    const bubbles = () => {
      const record = rig.store.record(keyOf('s1'));
      return record ? bubblesOf(record) : [];
    };

    it('shares the row with that message only until the service returns the ID of its own message', async () => {
      const { entryId } = await rig.enqueue('go on');
      const post = await rig.post(1);
      rig.service.create('s1', 'go on');
      rig.poll();
      expect(bubbles()).toEqual([{ text: 'go on', entryId }]);
      post.answer();
      await until(() => rig.states()[0] === 'accepted');
      expect(bubbles()).toEqual([
        { text: 'go on', entryId: undefined },
        { text: 'go on', entryId },
      ]);
      rig.poll();
      expect(bubbles()).toEqual([
        { text: 'go on', entryId: undefined },
        { text: 'go on', entryId },
      ]);
    });

    it('gets a separate row if it was rejected', async () => {
      const { entryId } = await rig.enqueue('go on');
      const post = await rig.post(1);
      rig.service.create('s1', 'go on');
      rig.poll();
      post.fail(new ApiError('status', '422', { sent: 'maybe', status: 422 }));
      await until(() => rig.states()[0] === 'notSent');
      expect(bubbles()).toEqual([
        { text: 'go on', entryId: undefined },
        { text: 'go on', entryId },
      ]);
    });

    it('keeps a separate row if only the first lines of the two texts match', async () => {
      const { entryId } = await rig.enqueue('go on\nplease');
      await rig.post(1);
      rig.service.create('s1', 'go on\nnow');
      rig.poll();
      await until(() => bubbles().length === 2);
      expect(bubbles()[1]).toEqual({ text: 'go on\nplease', entryId });
    });
  });
});
