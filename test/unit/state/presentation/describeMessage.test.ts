import { describe, expect, it } from 'vitest';
import type { ContentBlock } from '../../../../src/api/resources/contentBlock.ts';
import type { Message } from '../../../../src/api/resources/message.ts';
import { describeSource, roleLabel } from '../../../../src/state/presentation/describeMessage.ts';
import * as presentation from '../../../../src/state/presentation/describeMessage.ts';
import { withoutPause } from '../../../../src/shared/slices.ts';
import { hostile, hostileShown, t } from '../samples.ts';

const describeMessage = (...given: Parameters<typeof presentation.describeMessage>) =>
  withoutPause(presentation.describeMessage(...given));

const messageOf = (part: Partial<Message> = {}): Message => ({
  id: 'm1',
  role: 'assistant',
  createdAt: 1_000_000,
  updatedAt: 1_000_000,
  content: [],
  ...part,
});
const row = (part: Partial<Message>, role?: Message['role']) => describeMessage(messageOf(part), { role }, 'k', t);
const asked = (text: string, hasAddedText: boolean) =>
  describeMessage(
    messageOf({ role: 'user', content: [{ type: 'text', text }] }),
    { role: 'user', hasAddedText },
    'k',
    t,
  );
const block = (content: ContentBlock) => row({ content: [content] }).blocks[0];
const png = 'iVBORw0KGgo=';
const part = { messageId: 'm1', path: '0' };

describe('a message on the page', () => {
  it('has a key, a role, and a creation time, and no properties that the service did not send', () => {
    expect(row({})).toEqual({
      key: 'k',
      role: 'assistant',
      roleLabel: 'Assistant',
      createdAt: 1_000_000,
      isError: false,
      badges: [],
      blocks: [],
    });
  });

  it('uses its own role, then the known one, then "unknown"', () => {
    expect(row({ role: 'user' }, 'tool')).toMatchObject({ role: 'user', roleLabel: 'User' });
    expect(row({ role: undefined }, 'tool')).toMatchObject({ role: 'tool', roleLabel: 'Tool' });
    expect(row({ role: undefined })).toMatchObject({ role: 'unknown', roleLabel: 'Unknown role' });
    expect(roleLabel('system', t)).toBe('System');
    expect(roleLabel('unknown', t)).toBe('Unknown role');
  });

  it('is of the tool, not of the user, if it contains only results', () => {
    const result: ContentBlock = { type: 'tool_result', toolUseId: 'a', isError: false, content: [] };
    const role = (...content: readonly ContentBlock[]) => {
      const { role: shown, author } = row({ role: 'user', content: [...content] });
      return [shown, author];
    };
    expect(role(result, result)).toEqual(['tool', undefined]);
    expect(role(result, { type: 'text', text: 'Go on' })).toEqual(['user', 'You']);
    expect(role()).toEqual(['user', 'You']);
  });

  it('is marked as edited only if it is a user message that was updated more than a minute later', () => {
    const later = { updatedAt: 1_060_001 };
    expect(row({ role: 'user', ...later }).updatedAt).toBe(1_060_001);
    expect(row({ role: 'user', updatedAt: 1_060_000 })).not.toHaveProperty('updatedAt');
    expect(row({ role: 'assistant', ...later })).not.toHaveProperty('updatedAt');
  });

  it('distinguishes progress updates from the final answer', () => {
    expect(row({ openaiPhase: 'commentary' }).phase).toBe('commentary');
    expect(row({ openaiPhase: 'final_answer' }).phase).toBe('final');
    expect(row({ openaiPhase: 'unknown' })).not.toHaveProperty('phase');
  });

  it('is an error if the service marks it as one', () => expect(row({ isError: true }).isError).toBe(true));
});

describe('blocks', () => {
  it('text without content is left out, as in a message of attachments only', () => {
    const document: ContentBlock = { type: 'document', name: 'a.md', source: { data: 'YQ==' } };
    expect(row({ content: [{ type: 'text', text: ' \n' }, document] }).blocks).toMatchObject([
      { type: 'file', name: 'a.md', part: { messageId: 'm1', path: '1' } },
    ]);
  });

  it('text is unchanged Markdown', () => {
    expect(block({ type: 'text', text: hostile })).toEqual({ type: 'markdown', text: hostile });
  });

  it.each([
    [
      { mediaType: 'image/png', data: png },
      { type: 'image', mediaType: 'image/png', base64: png, part },
    ],
    [{ data: png }, { type: 'image', mediaType: 'image/png', base64: png, part }],
    [{ data: '/9j/4AAQ' }, { type: 'image', mediaType: 'image/jpeg', base64: '/9j/4AAQ', part }],
    [{ data: 'R0lGODlh' }, { type: 'image', mediaType: 'image/gif', base64: 'R0lGODlh', part }],
    [{ data: 'UklGRhoA' }, { type: 'image', mediaType: 'image/webp', base64: 'UklGRhoA', part }],
    [{ data: 'PHN2Zz4=' }, { type: 'image', mediaType: 'application/octet-stream', base64: 'PHN2Zz4=', part }],
    [
      { url: 'https://a.test/x.png' },
      { type: 'note', text: 'Remote image (not loaded)', href: 'https://a.test/x.png' },
    ],
    [{}, { type: 'note', text: 'Remote image (not loaded)' }],
  ])('an image from %j', (source, shown) => expect(block({ type: 'image', source })).toEqual(shown));

  it('thinking is folded, and encrypted thinking is replaced with a note', () => {
    const thought = {
      type: 'fold',
      kind: 'thinking',
      title: 'Thinking',
      detail: 'Hm.',
      isError: false,
      blocks: [{ type: 'markdown', text: 'Hm.' }],
    };
    expect(block({ type: 'thinking', thinking: 'Hm.' })).toEqual(thought);
    expect(row({ openaiReasoningSummary: 'Hm.' }).blocks).toEqual([thought]);
    expect(row({ chatCompletionReasoningContent: 'Hm.', openaiReasoningSummary: '' }).blocks).toEqual([thought]);
    const thinking = { type: 'thinking', thinking: 'Hm.\n' } as const;
    const twice = { content: [thinking], chatCompletionReasoningContent: 'Hm.', openaiReasoningSummary: ' Hm.' };
    expect(row(twice).blocks).toMatchObject([{ title: 'Thinking' }]);
    expect(row({ ...twice, openaiReasoningSummary: 'Oh.' }).blocks).toHaveLength(2);
    const note = { type: 'note', text: 'Encrypted thinking' };
    expect(block({ type: 'redacted_thinking', sizeChars: 42 })).toEqual(note);
    expect(block({ type: 'thinking', thinking: '', signature: 'EuUC' })).toEqual(note);
  });

  it.each([
    ['**Plan the change.** Then test', 'Plan the change.'],
    ['\n# Plan\nFirst', 'Plan'],
    ['See v1.2 first. Then go on', 'See v1.2 first.'],
    [' \n ', undefined],
  ])('thinking %j has the title %s', (thinking, detail) => {
    const fold = block({ type: 'thinking', thinking });
    expect(fold?.type === 'fold' ? [fold.title, fold.detail] : fold).toEqual(['Thinking', detail]);
  });

  it.each([
    [{ limit: 3, path: 'src/cart.ts' }, 'src/cart.ts'],
    [{ command: hostile }, hostileShown],
    [{ n: 1 }, ''],
    [null, ''],
    [undefined, ''],
    [[1, 'two'], 'two'],
  ])('a tool call with the input %j has the detail %j', (input, detail) => {
    expect(block({ type: 'tool_use', name: 'read\u202E_file', input })).toEqual({
      type: 'fold',
      kind: 'toolUse',
      title: 'read<U+202E>_file',
      detail,
      isError: false,
      blocks: [
        { type: 'code', text: input === undefined ? 'null' : JSON.stringify(input, undefined, 2), language: 'json' },
      ],
    });
  });

  it.each([
    ['{"path":"src/cart.ts","limit":3}', 'src/cart.ts', '{\n  "path": "src/cart.ts",\n  "limit": 3\n}', 'json'],
    ['ls "a b"\nls c', 'ls "a b" ls c', 'ls "a b"\nls c', undefined],
    ['{"path":', '{"path":', '{"path":', undefined],
    ['["two"]', '["two"]', '["two"]', undefined],
  ])(
    'arguments that are the text %j are shown as JSON if they are an object, and as they are otherwise',
    (...given) => {
      const [input, detail, text, language] = given;
      const shown = block({ type: 'tool_use', name: 'run', input });
      const code = { type: 'code', text, ...(language === undefined ? {} : { language }) };
      expect(shown).toMatchObject({ detail });
      expect(shown?.type === 'fold' && shown.blocks).toEqual([code]);
    },
  );

  it('is neither red nor an error if its call was rejected', () => {
    const content = [{ type: 'text', text: 'The user denied this operation.' }] as const;
    const rejected = { type: 'tool_result', isError: true, content } as const;
    expect(block(rejected)).toMatchObject({ kind: 'toolResult', title: 'Rejected', isError: false });
    expect(row({ content: [rejected], isError: true }).isError).toBe(false);
  });

  it('tool output is shown as code and not as Markdown', () => {
    const content: ContentBlock[] = [
      { type: 'text', text: '\n  # first\nsecond' },
      { type: 'image', source: { data: png } },
    ];
    expect(block({ type: 'tool_result', isError: false, content })).toEqual({
      type: 'fold',
      kind: 'toolResult',
      title: 'Result',
      detail: '# first',
      isError: false,
      blocks: [
        { type: 'code', text: '\n  # first\nsecond' },
        { type: 'image', mediaType: 'image/png', base64: png, part: { messageId: 'm1', path: '0.1' } },
      ],
    });
    expect(block({ type: 'tool_result', isError: true, content: [] })).toEqual({
      type: 'fold',
      kind: 'toolResult',
      title: 'Error',
      detail: '',
      isError: true,
      blocks: [{ type: 'note', text: 'No output' }],
    });
    const blank = { type: 'tool_result', isError: false, content: [{ type: 'text', text: ' \n' }] } as const;
    expect(block(blank)).toMatchObject({ blocks: [{ type: 'note', text: 'No output' }] });
    expect(block({ ...blank, content: [...blank.content, ...content] })).toMatchObject({
      blocks: [
        { type: 'code', text: '\n  # first\nsecond' },
        { type: 'image', part: { messageId: 'm1', path: '0.2' } },
      ],
    });
  });

  it.each([
    [{ name: 'plan.pdf', mediaType: 'application/pdf', source: { data: 'AAAA' } }, 'plan.pdf', '3 B'],
    [{ name: 'plan', mediaType: 'application/pdf', source: { data: 'AAAA' } }, 'plan', 'application/pdf, 3 B'],
    [{ name: hostile, source: {} }, hostileShown, ''],
    [{ source: {}, mediaType: 'text/\nplain' }, 'Document', 'text/ plain'],
    [{ name: 'a.ts', path: 'src/a.ts', source: {} }, 'a.ts', 'src/a.ts'],
    [{ name: 'a.ts', path: 'a.ts', source: {} }, 'a.ts', ''],
  ])('a document with %j is shown as a file', (fields, name, detail) => {
    const hasBytes = 'data' in fields.source;
    expect(block({ type: 'document', ...fields })).toEqual({
      type: 'file',
      name,
      detail,
      ...(hasBytes ? { part } : {}),
    });
  });

  it('the text that was sent with a document is shown below it, verbatim and folded', () => {
    const source = { data: 'AAAA', parsedData: '# ünd' };
    const message = messageOf({
      content: [
        { type: 'document', name: 'a.pdf', source },
        { type: 'text', text: 'b' },
      ],
    });
    expect(describeMessage(message, { role: 'user' }, 'k', t).blocks).toEqual([
      { type: 'file', name: 'a.pdf', detail: '3 B', part: { messageId: message.id, path: '0' } },
      {
        type: 'fold',
        kind: 'parsedText',
        title: 'Parsed text',
        detail: '6 B',
        isError: false,
        blocks: [{ type: 'code', text: '# ünd' }],
      },
      { type: 'markdown', text: 'b' },
    ]);
    expect(block({ type: 'document', name: 'a', source: { parsedData: '' } })).toMatchObject({ type: 'file' });
  });

  it('the blocks that a message has too many of are only counted', () => {
    expect(block({ type: 'unknown', kind: 'content', raw: [1, 2], furtherCount: 2 })).toEqual({
      type: 'note',
      text: "2 more parts of this message aren't shown.",
    });
  });

  it('unknown content is shown raw and folded', () => {
    expect(block({ type: 'unknown', kind: hostile, raw: { type: hostile, x: 1 } })).toEqual({
      type: 'fold',
      kind: 'raw',
      title: `Unsupported content (${hostileShown})`,
      isError: false,
      blocks: [{ type: 'code', text: JSON.stringify({ type: hostile, x: 1 }, undefined, 2), language: 'json' }],
    });
  });
});

describe('the heading', () => {
  it.each([
    [{ role: 'user' }, 'You'],
    [{ role: 'user', userMessageSource: 'api' }, 'You'],
    [{ role: 'user', userMessageSource: 'sessions_api' }, 'You'],
    [{ role: 'user', userMessageSource: 'slack' }, undefined],
    [{ role: 'assistant' }, undefined],
  ] as const)('of %j is %j', (part, expected) => expect(row(part).author).toBe(expected));
});

describe('badges', () => {
  const labels = (part: Partial<Message>) => row(part).badges.map(({ label }) => label);

  it.each([
    [{}, []],
    [{ visibility: 'both', isUserVisible: true }, []],
    [{ openaiPhase: 'final_answer' }, []],
    [{ visibility: 'llm_only' }, ['Hidden from you']],
    [{ isUserVisible: false }, ['Hidden from you']],
    [{ visibility: 'user_only' }, ['Hidden from the agent']],
    [{ openaiPhase: 'commentary' }, ['Progress update']],
    [{ unreadable: 'createdAt, updatedAt' }, ['Unreadable']],
    [{ role: 'user', userMessageSource: 'api' }, []],
    [{ userMessageSource: 'slack', visibility: 'llm_only' }, ['via Slack', 'Hidden from you']],
  ] as const)('for %j are %j', (part, expected) => expect(labels(part)).toEqual(expected));

  it('name the invalid fields of an unreadable message', () => {
    expect(row({ unreadable: 'createdAt' }).badges[0]?.hint).toBe('Unexpected message format: createdAt');
  });

  it.each([
    ['web', 'via web'],
    ['desktop', 'via desktop app'],
    ['cli_tui', 'via CLI'],
    ['cli_exec', 'via CLI'],
    ['cli_acp', 'via CLI'],
    ['slack', 'via Slack'],
    ['linear', 'via Linear'],
    ['sessions_api', 'via API'],
    ['api', 'via API'],
    ['automation', 'via automation'],
    ['readiness-remediation', 'via readiness check'],
    ['readiness-evaluation', 'via readiness check'],
    ['wiki-generation', 'via wiki'],
    ['wiki-ci-setup', 'via wiki'],
    ['pager\u202E', 'via pager<U+202E>'],
  ])('show the source %s as "%s"', (source, label) => {
    const described = describeSource(source, t);
    expect(described.label).toBe(label);
    expect(described.hint).toMatch(/^Message source reported by the service: /);
  });
});

describe("what the agent's tooling added to a message of the user", () => {
  const added = '<system-reminder>\n**Be** brief.\n</system-reminder>';
  const fold = {
    ...{ type: 'fold', kind: 'context', title: "Context added by the agent's tooling", isError: false },
    blocks: [{ type: 'code', text: added }],
  };

  it('is a part below what the person said, as it is', () => {
    const { author, isContext, blocks } = asked(`Fix it.\n\n${added}`, true);
    expect({ author, isContext }).toEqual({ author: 'You', isContext: undefined });
    expect(blocks).toEqual([{ type: 'markdown', text: 'Fix it.' }, fold]);
  });

  it('is the whole row if the person said nothing', () => {
    const { author, isContext, roleLabel, blocks } = asked(added, true);
    expect({ author, isContext, roleLabel, blocks }).toEqual({
      ...{ author: undefined, isContext: true, roleLabel: "Agent's tooling" },
      blocks: [fold],
    });
  });

  it('is the text itself if the header says that nothing was added', () => {
    expect(asked(added, false)).toMatchObject({ author: 'You', blocks: [{ type: 'markdown', text: added }] });
  });
});
