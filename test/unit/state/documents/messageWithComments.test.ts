import { describe, expect, it } from 'vitest';
import { messageWithComments as composed } from '../../../../src/state/documents/messageWithComments.ts';
import { translator } from '../../../../src/shared/translate.ts';
import { comment, headerOf, recordOf, t } from '../samples.ts';

const at = (day: number) => new Date(2026, 4, day, 9, 5).getTime();
const headers = [
  headerOf('m1', { createdAt: at(1) }),
  headerOf('m2', { createdAt: at(2), role: 'assistant' }),
  headerOf('m3', { createdAt: at(3), role: 'assistant' }),
];
const record = recordOf({ headers });
/** Versions of Node use different spaces in times. */
const messageWithComments = (...given: Parameters<typeof composed>) => composed(...given).replaceAll('\u202f', ' ');
const on = (messageId: string, quote: string, text = '', offset = 0) => ({
  ...comment,
  commentId: `${messageId} ${quote}`,
  messageId,
  quote,
  text,
  offset,
});

describe('a message with comments', () => {
  it('quotes the part of each comment, and ends with the text of the composer', () => {
    const comments = [on('m2', 'One line.\n\n  const two = 2;', 'Why not `3`?'), on('m1', 'Fix it', 'I meant all.')];
    expect(messageWithComments(comments, 'Please go on.', record, t)).toBe(`> Fix it

I meant all.

> One line.
>
>   const two = 2;

Why not \`3\`?

Please go on.`);
  });

  it('is only the text, unchanged, without comments', () => {
    expect(messageWithComments([], ' as typed\n', record, t)).toBe(' as typed\n');
  });

  it('consists of quotes if nothing else was written', () => {
    const expected = '> a\n\n> b';
    expect(messageWithComments([on('m2', 'a'), on('m2', 'b', ' \n')], '  ', record, t)).toBe(expected);
  });

  it('is in the order of the messages and of the quotes in them, which need not be the order of adding', () => {
    const comments = [on('m3', 'd'), on('m2', 'c', '', 20), on('m2', 'b', '', 3), on('gone', 'a'), on('m3', 'e')];
    const quotes = messageWithComments(comments, '', record, t).match(/(?<=^> ).*/gm);
    expect(quotes).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('names a message that is not loaded without its role and time', () => {
    expect(messageWithComments([on('gone', '', 'b')], '', record, t)).toBe('Earlier message:\n\nb');
  });

  it('names the tool for a result that the service lists as a message of the user', () => {
    const result = headerOf('m4', { createdAt: at(4), hasText: false, toolCount: 1 });
    const text = messageWithComments([on('m4', '', 'b')], '', recordOf({ headers: [result] }), t);
    expect(text).toMatch(/^Tool message, /);
  });

  it('finds the message of an outbox entry that the service has listed since', () => {
    const entryIdByMessageId = new Map([['m3', 'entry']]);
    const text = messageWithComments([on('entry', '')], '', { ...record, entryIdByMessageId }, t);
    expect(text).toMatch(/^Assistant message, May 3, 2026/);
    expect(messageWithComments([on('entry', '')], '', record, t)).toMatch(/^Earlier message/);
  });

  it('has no quote for a message without text', () => {
    const { createdAt } = headers[0]!;
    const place = `User message, ${t.formats.dateTime(createdAt).replace('\u202f', ' ')}:`;
    expect(messageWithComments([on('m1', '', 'Nice picture.')], '', record, t)).toBe(`${place}\n\nNice picture.`);
    expect(messageWithComments([on('m1', '')], 'x', record, t)).toBe(`${place}\n\nx`);
  });

  it('is in the language of the window', () => {
    const german = translator('de', { '{0} message, {1}': 'Nachricht ({0}), {1}', Assistant: 'Assistent' });
    const text = messageWithComments([on('m2', '')], '', record, german);
    expect(text).toBe('Nachricht (Assistent), 02.05.2026, 09:05:');
  });
});
