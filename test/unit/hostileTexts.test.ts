/**
 * Shows hostile texts of a service everywhere outside the pages; test/webview/hostile.test.ts shows them on the pages.
 */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Failure } from '../../src/state/store/failure.ts';
import { corpora } from '../fakes/corpora.ts';
import { otherTags, permissiveHtml } from '../fakes/permissiveMarkdown.ts';
import { hostileLinks } from '../fakes/hostileLinks.ts';
import { editorHovers, editorLinks, leadsOut, previewLinks } from '../fakes/markdownLinks.ts';
import { recorded } from '../fakes/recordedEditor.ts';
import { plainLabel } from '../../src/host/prompts/editorText.ts';
import { showError, showInfo, showWarning } from '../../src/host/prompts/notify.ts';
import { documentHead, messageHeading, messageTitle } from '../../src/state/documents/document.ts';
import { exportPieces } from '../../src/state/documents/export.ts';
import { inertingMarkdown } from '../../src/state/markdown/inert.ts';
import * as texts from '../../src/state/documents/messageMarkdown.ts';
import { withoutPause } from '../../src/shared/slices.ts';
import { describeFailure } from '../../src/state/presentation/describeFailure.ts';
import * as presentation from '../../src/state/presentation/describeMessage.ts';
import {
  describeMessageRow,
  describeSession,
  describeSessionTooltip,
} from '../../src/state/presentation/describeSession.ts';
import { describeStatusBar } from '../../src/state/presentation/describeStatusBar.ts';
import { describeUsage } from '../../src/state/presentation/describeUsage.ts';
import { literalTooltip } from '../../src/views/sessions/literalTooltip.ts';
import { type Message, readMessage } from '../../src/api/resources/message.ts';
import type { SessionRecord } from '../../src/state/store/sessionRecord.ts';
import { headerOf, isDisguised, key, now, ready, recordOf, sessionOf, t, unreadRecord } from './state/samples.ts';

const describeMessage = (...given: Parameters<typeof presentation.describeMessage>) =>
  withoutPause(presentation.describeMessage(...given));

const inertMarkdown = (text: string) => withoutPause(inertingMarkdown(text));
const messageDocument = (...given: Parameters<typeof texts.messageDocument>) =>
  withoutPause(texts.messageDocument(...given));
const messageText = (...given: Parameters<typeof texts.messageText>) => withoutPause(texts.messageText(...given));

vi.mock('vscode', () => import('../fakes/recordedEditor.ts'));

const words = {
  t,
  time: (timeMs: number) => new Date(timeMs).toISOString().slice(11, 16),
  dateTime: (timeMs: number) => new Date(timeMs).toISOString().slice(0, 16),
};
const counters = { inputTokens: 1, outputTokens: 1 };

/** A session with the text in every field that the service or the person sets. */
function sessionWith(text: string): SessionRecord {
  const failure: Failure = { kind: 'status', status: 500, detail: text, at: now };
  const sessionSettings = {
    model: text,
    tags: [{ name: text }],
    tokenUsage: counters,
    childInclusiveTokenUsageBySessionId: { [text]: counters },
  };
  return recordOf({
    listEntry: { key: { ...key, sessionId: text }, addedAt: now, name: text },
    session: sessionOf({ sessionId: text, title: text, computerId: text, sessionSettings }),
    failure,
  });
}

/** A session that isn't open, with the text in everything that its newest messages say. */
function unopenedWith(text: string, isError: boolean): SessionRecord {
  const readMark = { messageCount: 12, updatedAt: 1, wasAtWork: false, isAssumed: true };
  const waiting = { messageId: text, rule: 'answer', question: text } as const;
  const answer = { firstLine: text, isOfTurn: true };
  const tail = { messageCount: 12, messageId: text, isError, excerpt: text, answer, waiting, files: [text, text] };
  const listEntry = { key, addedAt: now, readMark };
  return unreadRecord({ listEntry, session: sessionOf(), asOf: now, tail, ...(!isError && { waiting }) });
}

/** A message with the text in every kind of content, as the service sends it. */
function messageWith(text: string): Message {
  const message = readMessage({
    id: 'm1',
    role: 'assistant',
    createdAt: now,
    updatedAt: now,
    content: [
      { type: 'text', text },
      { type: 'thinking', thinking: text },
      { type: 'tool_use', id: text, name: text, input: { [text]: text } },
      { type: 'tool_result', tool_use_id: text, content: [{ type: 'text', text }], is_error: true },
      { type: 'document', name: text, source: { mediaType: text, data: '', path: text, url: text } },
      { type: 'image', source: { mediaType: text, url: text } },
      { type: text, text },
    ],
  });
  if (message?.content.length !== 7) throw new Error(`The message with ${text} is unreadable.`);
  return message;
}

beforeEach(() => {
  recorded.length = 0;
});

describe.each(Object.entries({ ...corpora, links: hostileLinks }))('%s', (_, texts) => {
  it('is one plain line in the tree, and plain text in its tooltip', () => {
    for (const text of texts) {
      const describe = (record: SessionRecord) => {
        const tooltip = describeSessionTooltip(record, ready, now, t);
        return { ...describeSession(record, ready, now, t), tooltip };
      };
      const described = describe(sessionWith(text));
      const { tooltip } = described;
      const unopened = [unopenedWith(text, true), unopenedWith(text, false)].map(describe);
      const message = describeMessageRow(headerOf('m1', { firstLine: text }), [], now, t);
      for (const { label, description, tooltip, spoken } of [described, message, ...unopened]) {
        expect([label, description, spoken].filter(isDisguised), text).toEqual([]);
        expect(tooltip.split('\n').filter(isDisguised), text).toEqual([]);
      }
      const shown = literalTooltip(tooltip);
      expect([shown.isTrusted, shown.supportHtml]).toEqual([undefined, undefined]);
      expect(otherTags(permissiveHtml(shown.value)), text).toEqual([]);
    }
  });

  it('is no icon in the status bar or a quick pick, and no link in a notification', async () => {
    for (const text of texts) {
      const bar =
        describeStatusBar(ready, sessionWith(text), [], now, t) ??
        describeStatusBar(ready, sessionWith(text), [sessionWith(text)], now, t);
      expect(bar?.text).toBe('$(debug-disconnect) Disconnected');
      expect(plainLabel(text)).not.toMatch(/(?<!\\)\$\(/);
      for (const show of [showError, showInfo, showWarning]) await show(text);
    }
    for (const { args } of recorded) expect(args[0]).not.toMatch(/\[[^\]]*\]\([^)]*\)|`/);
  });

  it('is one plain line after the words of an error', () => {
    const sentences = texts.map((detail) => describeFailure({ kind: 'status', status: 500, detail, at: now }, t));
    expect(sentences.filter(isDisguised)).toEqual([]);
  });

  it('is plain text on the usage page', () => {
    for (const text of texts) {
      const content = describeUsage(sessionWith(text), [], { t, titleOf: () => text });
      expect(content.title.split('\n').filter(isDisguised)).toEqual([]);
      expect(content.tables.flatMap(({ rows }) => rows.flat()).filter(isDisguised)).toEqual([]);
    }
  });

  it('does nothing in the editor or the preview of a document or an export', async () => {
    for (const text of texts) {
      const record = { ...sessionWith(text), headers: [headerOf('m1', { role: 'assistant', firstLine: text })] };
      const [header = headerOf('m1')] = record.headers;
      const head = documentHead(record, ready, { number: 1, count: 1 }, words);
      const heading = messageHeading(header, messageTitle(header, text, undefined, words));
      const body = messageText(describeMessage(messageWith(text), { role: 'assistant' }, 'm1', t), t);
      const filter = { detailLevel: 'everything' } as const;
      const readBodies = () => Promise.resolve([messageWith(text)]);
      let exported = '';
      const plan = {
        format: 'markdown',
        isRedacted: false,
        record,
        connection: ready,
        filter,
        words,
        readBodies,
      } as const;
      for await (const piece of exportPieces(plan)) exported += piece.text;
      expect(exported).toContain(inertMarkdown(body));
      const documents = [`${head}\n\n${heading}\n\n${body}`, messageDocument(messageWith(text), t)].map(inertMarkdown);
      for (const markdown of [...documents, exported]) {
        const links = await editorLinks(markdown);
        expect(
          links.filter((target) => !leadsOut(target)),
          markdown,
        ).toEqual([]);
        expect([...(await editorHovers(markdown)), ...previewLinks(markdown)], markdown).toEqual([]);
      }
    }
  });
});
