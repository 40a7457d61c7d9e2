import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/api/resources/message.ts';
import { withoutPause } from '../../../../src/shared/slices.ts';
import { readingNews, sessionsWithNews, writingCatchUp } from '../../../../src/state/documents/catchUp.ts';
import { inertingMarkdown } from '../../../../src/state/markdown/inert.ts';
import type { SessionRecord } from '../../../../src/state/store/sessionRecord.ts';
import { hostileLinks } from '../../../fakes/hostileLinks.ts';
import { editorHovers, editorLinks, leadsOut, previewLinks } from '../../../fakes/markdownLinks.ts';
import { headerOf, key, minuteMs, now, recordOf, sessionOf, t, unreadRecord } from '../samples.ts';
import { execute, file, result, withMarks, written } from '../work/marks.ts';

const listEntry = { key, addedAt: 1, readMark: { messageCount: 1, updatedAt: 10, wasAtWork: false } };
const session = sessionOf({ title: 'Fix the login', status: 'idle', messageCount: 9, updatedAt: now - 5 * minuteMs });
const history = { completeness: 'complete', isLoading: false, settledCount: 9 } as const;
const unknown = { ...history, settledCount: 3 } as const;

const headers = [
  headerOf('old', { role: 'user', createdAt: 1, firstLine: 'An old question' }),
  headerOf('old answer', { role: 'assistant', createdAt: 2, firstLine: 'An old answer' }),
  headerOf('ask', { role: 'user', createdAt: 11, firstLine: 'Why does it fail?' }),
  ...[
    ...written('w', file('src/a.ts', 'edited', 12, 4)),
    ...[withMarks('run', execute('x', 'npm test')), withMarks('out', result('x', 'Exit code 1'))],
  ].map((header) => ({ ...header, createdAt: 12 })),
  headerOf('answer', { role: 'assistant', createdAt: 13, firstLine: 'The cookie' }),
];
const news = (part: Partial<SessionRecord> = {}) => recordOf({ listEntry, session, history, headers, ...part });

function write(records: readonly SessionRecord[], answer?: string, services = new Map<string, string>()) {
  const found = withoutPause(readingNews(records, t));
  const message = (text: string): Message => ({
    id: 'answer',
    createdAt: 1,
    updatedAt: 1,
    content: [{ type: 'text', text }],
  });
  const answers = new Map(answer === undefined ? [] : found.map((each) => [each, message(answer)]));
  return withoutPause(writingCatchUp({ news: found, answers, totalCount: records.length, services, now }, t));
}
const textOf = (...given: Parameters<typeof write>) =>
  write(...given)
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .slice(2);

describe('catching up', () => {
  it('covers sessions that are unread or need the user, most urgent first', () => {
    const named = (sessionId: string, part: Partial<SessionRecord>) =>
      news({ listEntry: { ...listEntry, key: { ...key, sessionId } }, ...part });
    const waiting = { messageId: 'm', rule: 'answer', question: 'Shall I?' } as const;
    const records = [
      named('unread', {}),
      named('read', { listEntry: { ...listEntry, readMark: { ...listEntry.readMark, updatedAt: now } } }),
      named('running', { session: { ...session, status: 'running' } }),
      named('waiting', { waiting }),
      named('guest', { listEntry: { ...listEntry, isTransient: true } }),
    ];
    expect(
      sessionsWithNews(records).map(
        ({
          listEntry: {
            key: { sessionId },
          },
        }) => sessionId,
      ),
    ).toEqual(['waiting', 'unread']);
  });

  it('says what was asked, answered, changed, and what failed since the session was viewed', () => {
    expect(textOf([news()], 'The **cookie**\nexpires.\n\nMore text.')).toEqual([
      '## Fix the login',
      '*Idle · 5 min*',
      '- Prompt: Why does it fail?',
      '- Answer: The cookie expires.',
      '- Failed: npm test: Exit code 1',
      '- Changed files: src/a.ts +12 −4',
    ]);
    const waiting = { messageId: 'answer', rule: 'answer', question: 'Shall I?' } as const;
    expect(textOf([news({ waiting })])).toContain('- Question: Shall I?');
    const approval = { ...waiting, rule: 'approval', question: 'Move the basket' } as const;
    expect(textOf([news({ waiting: approval })])).toContain('- Plan to approve: Move the basket');
    // If the message itself isn't loaded, its first line is shown.
    expect(textOf([news()])).toContain('- Answer: The cookie');
  });

  it('names the service of each session if there are several', () => {
    const other = ['https://other.test', 'Other'] as const;
    expect(textOf([news()], '', new Map([other]))[1]).toBe('*Idle · 5 min*');
    expect(textOf([news()], '', new Map([[key.origin, 'Lab'], other]))[1]).toBe('*Idle · 5 min · Lab*');
  });

  it('links each line to its message, or to the changes of the turn', () => {
    const targets = write([news()]).flatMap(({ text, target }) =>
      target ? [[text.split(':', 1)[0], target] as const] : [],
    );
    expect(targets).toEqual([
      ['## Fix the login', { key }],
      ['- Prompt', { key, messageId: 'ask' }],
      ['- Answer', { key, messageId: 'answer' }],
      ['- Failed', { key, messageId: 'run' }],
      ['- Changed files', { key, messageId: 'w-call', isChanges: true }],
    ]);
  });

  it('leads to the last change of all files', () => {
    const edits = [...written('a', file('a.ts')), ...written('b', file('b.ts')), ...written('c', file('a.ts'))];
    const lines = write([news({ headers: edits.map((header) => ({ ...header, createdAt: 12 })) })]);
    expect(lines.find(({ text }) => text.startsWith('- Changed files:'))?.target?.messageId).toBe('c-call');
  });

  it('says that older messages are not included if those that are loaded are all new', () => {
    const note = '*Only the newest messages are included.*';
    const newer = headers.slice(2);
    const partial = { ...history, completeness: 'partial' } as const;
    expect(textOf([news({ headers: newer, history: partial })]).at(-1)).toBe(note);
    expect(textOf([news({ headers: newer })])).not.toContain(note);
    expect(textOf([news({ history: partial })])).not.toContain(note);
    const many = Array.from({ length: 501 }, (_, index) => headerOf(`m${index}`, { createdAt: 20 + index }));
    expect(textOf([news({ headers: many })]).at(-1)).toBe(note);
    expect(textOf([news({ headers: many.slice(1) })])).not.toContain(note);
  });

  it('says what is not known', () => {
    const tail = {
      messageCount: 9,
      messageId: 'm9',
      isError: true,
      excerpt: 'Overloaded',
      answer: { firstLine: 'Half done', isOfTurn: true },
      files: ['a.ts'],
    };
    expect(textOf([news({ history: unknown, headers: [], tail })])).toEqual([
      '## Fix the login',
      '*failed · Idle · 5 min*',
      '- Answer: Half done',
      '- Failed: Overloaded',
      '- Changed files: a.ts',
      '*Only the newest messages are included.*',
    ]);
    const nothing = [
      '## Fix the login',
      '*Idle · 5 min*',
      "*The newest messages aren't loaded. Open the session to load them.*",
    ];
    // The loaded messages belong to an earlier state of the session.
    expect(textOf([news({ history: unknown })])).toEqual(nothing);
    expect(textOf([news({ history: unknown, tail: { ...tail, isUnreadable: true } })])).toEqual(nothing);
    expect(textOf([unreadRecord()])).toHaveLength(3);
  });

  it('is limited to 50 sessions and 5 errors of each', () => {
    const failed = Array.from({ length: 8 }, (_, index) =>
      headerOf(`e${index}`, { role: 'assistant', isError: true, createdAt: 20 + index, firstLine: 'No' }),
    );
    const lines = textOf(Array.from({ length: 53 }, () => news({ headers: failed })));
    expect(lines.filter((line) => line.startsWith('## '))).toHaveLength(50);
    expect(lines.filter((line) => line.startsWith('- Failed:'))).toHaveLength(250);
    expect(lines.slice(-2)).toEqual(['*and 3 more*', '*and 3 more*']);
  });

  it('contains nothing that acts, and its lines stay in place', async () => {
    for (let from = 0; from < hostileLinks.length; from += 20) {
      const records = hostileLinks.slice(from, from + 20).map((firstLine) =>
        news({
          session: { ...session, title: firstLine },
          waiting: { messageId: 'm', rule: 'answer', question: firstLine },
          headers: [
            headerOf('ask', { role: 'user', createdAt: 11, firstLine }),
            ...written('w', file(firstLine)).map((header) => ({ ...header, createdAt: 12 })),
            headerOf('answer', { role: 'assistant', createdAt: 13, firstLine, isError: true }),
          ],
        }),
      );
      const services = new Map([
        [key.origin, hostileLinks[from] ?? ''],
        ['https://other.test', 'Other'],
      ]);
      const texts = write(records, hostileLinks[from], services).map(({ text }) => text);
      const markdown = withoutPause(inertingMarkdown(`${texts.join('\n')}\n`));
      expect(markdown.split('\n')).toHaveLength(texts.length + 1);
      expect(
        (await editorLinks(markdown)).filter((target) => !leadsOut(target)),
        markdown,
      ).toEqual([]);
      expect(await editorHovers(markdown), markdown).toEqual([]);
      expect(previewLinks(markdown), markdown).toEqual([]);
    }
  });
});
