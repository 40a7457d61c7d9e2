import { describe, expect, it } from 'vitest';
import type { ContentBlock } from '../../../../src/api/resources/contentBlock.ts';
import type { Message } from '../../../../src/api/resources/message.ts';
import { type MessageHeader, summarizeMessage } from '../../../../src/state/store/messageHeader.ts';
import { withoutPause } from '../../../../src/shared/slices.ts';
import { promptContentOf } from '../../../../src/state/store/promptContent.ts';
import { Timeline } from '../../../../src/state/store/timeline.ts';
import { isContext, isPrompt } from '../../../../src/state/store/turns.ts';

let count = 0;
function messageAt(createdAt: number, content: string | readonly ContentBlock[], part: Partial<Message> = {}): Message {
  count += 1;
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content;
  return { id: `m${count}`, role: 'user', createdAt, updatedAt: createdAt, content: blocks, ...part };
}
const answer = (at: number, text: string) => messageAt(at, text, { role: 'assistant' });
const call = (at: number, toolUseId: string, name = 'Skill', input: object = { skill: 'simplify' }) =>
  messageAt(at, [{ type: 'tool_use', toolUseId, name, input }], { role: 'assistant' });
const result = (at: number, toolUseId: string, text: string, isError = false) =>
  messageAt(at, [{ type: 'tool_result', toolUseId, isError, content: [{ type: 'text', text }] }], { role: 'tool' });

const review = '<command-message>review</command-message>\n<command-name>/review</command-name>';
const clear =
  '<command-name>/clear</command-name>\n            <command-message>clear</command-message>\n            <command-args></command-args>';
const expansion = '# Review Command\n\nPerform exhaustive code reviews.';

function timelineOf(...messages: readonly Message[]): Timeline {
  const timeline = new Timeline();
  timeline.merge(messages.map((message) => summarizeMessage(message)));
  return timeline;
}
/** The first lines of prompts, and `+` for messages of the tooling. */
const speakers = ({ headers }: Timeline) =>
  headers.flatMap((header) => (isPrompt(header) ? [header.firstLine] : isContext(header) ? ['+'] : []));

describe('the text of a slash command', () => {
  it('follows the command in the same moment', () => {
    const text = messageAt(1_001, expansion);
    const timeline = timelineOf(messageAt(1_000, review), text, answer(6_000, 'No findings.'));
    expect(speakers(timeline)).toEqual(['/review', '+']);
    const header = timeline.get(text.id);
    expect(header).toMatchObject({ firstLine: '', estimatedLines: 1, hasText: false, expansion: 'found' });
    expect(withoutPause(promptContentOf(text, header))).toEqual({ spoken: [], added: expansion });
  });

  it.each<[name: string, ...messages: Message[]]>([
    ['later than a moment', messageAt(1_000, review), messageAt(2_001, 'Also look at the tests.')],
    ['after a command without a text', messageAt(1_000, clear), messageAt(1_000, 'Fix it.')],
    ['after the answer', messageAt(1_000, review), answer(1_500, 'I look.'), messageAt(1_600, 'Fix it.')],
    ['after a prompt', messageAt(1_000, 'Write /review'), messageAt(1_000, 'Fix it.')],
    [
      'with an image',
      messageAt(1_000, review),
      messageAt(1_000, [
        { type: 'text', text: 'Look' },
        { type: 'unknown', kind: 'x', raw: {} },
      ]),
    ],
    ['sent through the API', messageAt(1_000, review), messageAt(1_000, 'Fix it.', { userMessageSource: 'api' })],
    ['of the agent', messageAt(1_000, review, { role: 'assistant' }), messageAt(1_000, 'Fix it.')],
    ['about tags', messageAt(1_000, `What is this?\n\n${review}`), messageAt(1_000, 'Fix it.')],
  ])("isn't a message of the person: %s", (_name, ...messages) => {
    expect(speakers(timelineOf(...messages))).not.toContain('+');
  });

  it('can follow up to a second later, and a command of several texts', () => {
    expect(speakers(timelineOf(messageAt(1_000, review), messageAt(2_000, expansion)))).toEqual(['/review', '+']);
    const texts = [review, '<system-reminder>a</system-reminder>'].map((text) => ({ type: 'text', text }) as const);
    expect(speakers(timelineOf(messageAt(1_000, texts), messageAt(1_000, expansion)))).toEqual(['/review', '+']);
  });

  it('is one message, so that a prompt that waited in the queue stays one', () => {
    const all = [messageAt(1_000, review), messageAt(1_000, expansion), messageAt(1_000, 'And fix it.')];
    expect(speakers(timelineOf(...all))).toEqual(['/review', '+', 'And fix it.']);
  });

  it("isn't a message that was sent from this machine", () => {
    const headers = [
      summarizeMessage(messageAt(1_000, review)),
      summarizeMessage(messageAt(1_000, 'Go'), 'user', true),
    ];
    const timeline = new Timeline();
    timeline.merge(headers);
    expect(speakers(timeline)).toEqual(['/review', 'Go']);
  });

  it('needs the role of the user, even if the service sends it later', () => {
    const [typed, text] = [messageAt(1_000, review), messageAt(1_000, expansion, { role: undefined })];
    const timeline = timelineOf(typed, text);
    expect(timeline.get(text.id)?.hasText).toBe(true);
    timeline.merge([summarizeMessage(text, 'user')]);
    expect(speakers(timeline)).toEqual(['/review', '+']);
  });
});

describe('the text of a skill', () => {
  const launched = 'Launching skill: simplify';

  it.each<[name: string, ...messages: Message[]]>([
    ['after the result', call(1_000, 'a'), result(1_100, 'a', launched), messageAt(1_100, expansion)],
    ['before the result', call(1_000, 'a'), messageAt(1_099, expansion), result(1_100, 'a', launched)],
  ])('comes with the result of its call: %s', (_name, ...messages) => {
    expect(speakers(timelineOf(...messages))).toEqual(['+']);
    expect(speakers(timelineOf(...messages, messageAt(1_101, 'Go on.')))).toEqual(['+', 'Go on.']);
  });

  it('is found if its call is at most 12 messages before the result', () => {
    const between = (length: number) => Array.from({ length }, (_, at) => answer(1_001 + at, 'I use it.'));
    const spoken = (length: number) =>
      speakers(
        timelineOf(call(1_000, 'a'), ...between(length), result(1_100, 'a', launched), messageAt(1_100, 'The text')),
      );
    expect(spoken(11)).toEqual(['+']);
    expect(spoken(12)).toEqual(['The text']);
  });

  it('of parallel calls comes with each result', () => {
    const calls = [call(1_000, 'a'), call(1_000, 'b')];
    const results = [messageAt(1_099, 'One'), result(1_100, 'a', launched), messageAt(1_101, 'Two')];
    expect(speakers(timelineOf(...calls, ...results, result(1_102, 'b', launched)))).toEqual(['+', '+']);
  });

  it.each<[name: string, ...messages: Message[]]>([
    [
      'of another tool',
      call(1_000, 'a', 'Bash', { command: 'go' }),
      result(1_100, 'a', launched),
      messageAt(1_100, 'Go on.'),
    ],
    ['that failed', call(1_000, 'a'), result(1_100, 'a', launched, true), messageAt(1_100, 'Go on.')],
    ['with another text', call(1_000, 'a'), result(1_100, 'a', 'Unknown skill: simplify'), messageAt(1_100, 'Go on.')],
    ['long before', call(1_000, 'a'), result(1_100, 'a', launched), messageAt(2_101, 'Go on.')],
  ])("isn't a message of the person after a call %s", (_name, ...messages) => {
    expect(speakers(timelineOf(...messages))).toEqual(['Go on.']);
  });
});

describe('what only looks like a launched skill', () => {
  it("isn't followed by a text of the tooling", () => {
    const launched = [{ type: 'text', text: 'Launching skill: simplify' } as const];
    const call = messageAt(1_000, [{ type: 'tool_use', toolUseId: 'a', name: 'Skill', input: { skill: 'simplify' } }], {
      role: 'assistant',
    });
    for (const content of [[], [{ type: 'text', text: 'Note' } as const, ...launched]]) {
      const answered = messageAt(1_100, [{ type: 'tool_result', toolUseId: 'a', isError: false, content }], {
        role: 'tool',
      });
      expect(speakers(timelineOf(call, answered, messageAt(1_100, 'Go on.')))).toEqual(['Go on.']);
    }
    const said = messageAt(1_100, 'Launching skill: simplify', { role: 'assistant' });
    expect(speakers(timelineOf(call, said, messageAt(1_100, 'Go on.')))).toEqual(['Go on.']);
  });

  it('can be next to another result', () => {
    const results = ['Another result', 'Launching skill: simplify'].map((text, index) => {
      const content = [{ type: 'text', text } as const];
      return { type: 'tool_result', toolUseId: `${index}`, isError: false, content } as const;
    });
    const call = messageAt(1_000, [{ type: 'tool_use', toolUseId: '1', name: 'Skill', input: { skill: 'simplify' } }], {
      role: 'assistant',
    });
    const all = [call, messageAt(1_100, results, { role: 'tool' }), messageAt(1_100, 'The text')];
    expect(speakers(timelineOf(...all))).toEqual(['+']);
  });
});

describe('the message with which the agent continues', () => {
  const go = 'Continue from where you left off.';

  it("is the tooling's if the agent answers in the same moment that it has no answer", () => {
    expect(speakers(timelineOf(messageAt(1_000, go), answer(1_000, 'No response requested.')))).toEqual(['+']);
    for (const [at, text, reply] of [
      [3_000, go, 'No response requested.'],
      [1_000, go, 'I continue.'],
      [1_000, `${go}\nAnd test it.`, 'No response requested.'],
    ] as const) {
      expect(speakers(timelineOf(messageAt(1_000, text), answer(at, reply)))).toEqual([go]);
    }
  });
});

describe('a text of the tooling', () => {
  const all = [
    messageAt(1_000, 'Hello'),
    messageAt(5_000, review),
    messageAt(5_000, expansion),
    call(9_000, 'a'),
    messageAt(9_099, expansion),
    result(9_100, 'a', 'Launching skill: x'),
    answer(9_500, 'Done'),
  ].map((message): MessageHeader => summarizeMessage(message));

  it('is found for every order in which pages arrive', () => {
    const expected = ['Hello', '/review', '+', '+'];
    for (let size = 1; size <= all.length; size += 1) {
      const [newest, oldest] = [new Timeline(), new Timeline()];
      for (let start = 0; start < all.length; start += size) {
        oldest.merge(all.slice(start, start + size));
        const end = all.length - start;
        newest.merge(all.slice(Math.max(0, end - size), end), 'before');
      }
      expect([speakers(oldest), speakers(newest)]).toEqual([expected, expected]);
    }
  });

  it('stays found when the service sends it again, which is no change', () => {
    const timeline = new Timeline();
    timeline.merge(all);
    const before = timeline.headers;
    expect(timeline.merge(all)).toBe(false);
    expect(timeline.headers).toBe(before);
    timeline.merge(all.map((header) => ({ ...header, updatedAt: header.updatedAt + 1 })));
    expect(speakers(timeline)).toEqual(['Hello', '/review', '+', '+']);
  });
});
