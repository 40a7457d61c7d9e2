import type { Message } from '../api/message.ts';
import type { Connection } from './connection.ts';
import { type DocumentWords, documentHead, messageHeading, messageText, messageTitle } from './describeDocument.ts';
import { describeMessage, roleLabel } from './describeMessage.ts';
import { escapedLine, fencedText } from './embeddedMarkdown.ts';
import type { ExportFormat } from './exportFormat.ts';
import type { MessageHeader } from './messageHeader.ts';
import { redactJson, redactText } from './redaction.ts';
import type { SessionRecord } from './sessionRecord.ts';

export interface ExportPlan {
  readonly format: ExportFormat;
  /** Leave likely secrets out. */
  readonly isRedacted: boolean;
  readonly record: SessionRecord;
  readonly connection: Connection;
  /** Those to write, oldest first. */
  readonly headers: readonly MessageHeader[];
  readonly words: DocumentWords;
  readonly readBodies: (messageIds: readonly string[]) => Promise<readonly Message[]>;
}

/** What an export says of itself as it goes on. */
export interface ExportPiece {
  readonly text: string;
  /** Messages written so far. */
  readonly done: number;
  readonly redacted: number;
  /** Messages whose text is not on this machine. */
  readonly missing: number;
}

const pieceMessages = 50;

/** A conversation as text, piece by piece, so that no more of it is in memory than that. */
export async function* exportPieces(plan: ExportPlan): AsyncGenerator<ExportPiece> {
  const writer = plan.format === 'markdown' ? markdownWriter(plan) : jsonWriter(plan);
  let [done, redacted, missing] = [0, 0, 0];
  const piece = (text: string): ExportPiece => ({ text, done, redacted, missing });
  const head = writer.head();
  redacted += head.count;
  yield piece(head.value);
  for (let start = 0; start < plan.headers.length; start += pieceMessages) {
    const headers = plan.headers.slice(start, start + pieceMessages);
    const bodies = await plan.readBodies(headers.map(({ messageId }) => messageId));
    const byId = new Map(bodies.map((body) => [body.id, body]));
    let text = '';
    for (const [index, header] of headers.entries()) {
      const message = byId.get(header.messageId);
      const written = writer.message(header, message, plan.headers[start + index - 1]);
      text += written.value;
      redacted += written.count;
      if (!message) missing++;
      done++;
    }
    yield piece(text);
  }
  yield piece(writer.tail);
}

interface Writer {
  head(): { readonly value: string; readonly count: number };
  message(
    header: MessageHeader,
    message: Message | undefined,
    before: MessageHeader | undefined,
  ): { readonly value: string; readonly count: number };
  readonly tail: string;
}

function markdownWriter({ isRedacted, record, connection, words }: ExportPlan): Writer {
  const cleaned = (value: string) => (isRedacted ? redactText(value) : { value, count: 0 });
  const { t } = words;
  return {
    head: () => {
      const tags = record.session?.sessionSettings?.tags ?? [];
      const tagLines = tags.length === 0 ? '' : `tags: ${JSON.stringify(tags.map(({ name }) => name))}\n`;
      const head = documentHead(record, connection, { number: 1, count: 1 }, words);
      // The facts end at the second line of dashes.
      const end = head.indexOf('\n---') + 1;
      return cleaned(`${head.slice(0, end)}${tagLines}${head.slice(end)}\n`);
    },
    message(header, message, before) {
      const heading = messageHeading(header, messageTitle(header, roleLabel(header.role, t), before, words));
      const row = message && describeMessage(message, header.role, header.messageId, t);
      const text = row ? messageText(row, t) : `*${escapedLine(t('This message could not be read.'))}*`;
      const clean = cleaned(text);
      // What was taken out may have been a fence's end; then the message is shown as it is instead.
      const isWhole = clean.count === 0 || fencesOf(clean.value) === fencesOf(text);
      const shown = isWhole ? clean.value : fencedText(clean.value);
      const title = cleaned(heading);
      return { value: `\n${title.value}\n${shown === '' ? '' : `\n${shown}\n`}`, count: title.count + clean.count };
    },
    tail: '',
  };
}

function fencesOf(text: string): number {
  return text.match(/^ {0,3}(?:`{3,}|~{3,})/gm)?.length ?? 0;
}

/** JSON as one value, or as lines: first the session, then its messages, as the service told them. */
function jsonWriter({ format, isRedacted, record, headers }: ExportPlan): Writer {
  const isLines = format === 'jsonl';
  const text = (value: unknown) => {
    const clean = isRedacted ? redactJson(value) : { value, count: 0 };
    return { value: JSON.stringify(clean.value), count: clean.count };
  };
  const last = headers.at(-1);
  return {
    head: () => {
      const { origin, sessionId } = record.deck.key;
      const session = text({ service: origin, sessionId, ...record.session });
      if (isLines) return { ...session, value: `{"session":${session.value}}\n` };
      return { ...session, value: `{"session":${session.value},\n"messages":[\n` };
    },
    message(header, message) {
      const { messageId, role, createdAt, updatedAt } = header;
      const known = message ? { ...message, role: message.role ?? role } : undefined;
      const written = text(known ?? { id: messageId, role, createdAt, updatedAt, isMissing: true });
      if (isLines) return { ...written, value: `${written.value}\n` };
      return { ...written, value: `${written.value}${header === last ? '' : ','}\n` };
    },
    tail: isLines ? '' : ']}\n',
  };
}
