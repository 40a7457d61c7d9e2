import { translator } from '../../../src/shared/translate.ts';
import type { HostMessage } from '../../../src/shared/protocol/hostMessages.ts';
import type { PageConversation, PageHeader, PageSetup } from '../../../src/shared/protocol/pageModel.ts';
import type { PageStrings } from '../../../src/shared/protocol/pageStrings.ts';
import type { PageBlock, PageRow, RowStub, PageStep, PageSteps } from '../../../src/shared/protocol/rowTypes.ts';
import { packStubs } from '../../../src/state/conversation/rows.ts';
import { translatePageStrings } from '../../../src/views/conversation/translatePageStrings.ts';

/** The strings that the extension ships. */
export const words: PageStrings = translatePageStrings(translator('en'));

export const setup: { readonly type: 'setup' } & PageSetup = {
  type: 'setup',
  words,
  locale: 'en-GB',
  language: 'en',
  sendKey: 'enter',
  mentionsHelp: true,
  pasteAsFileLength: 10_000,
  maxPageBytes: 50_000_000,
  maxAttachmentMB: 10,
  attachmentMenu: [
    { kind: 'file', label: 'Current File', icon: 'file' },
    { kind: 'selection', label: 'Selection', icon: 'list-selection' },
    { kind: 'symbol', label: 'Symbol...', icon: 'symbol-field' },
    { kind: 'pick', label: 'Choose File...', icon: 'go-to-file' },
    { kind: 'folder', label: 'Folder...', icon: 'folder' },
    { kind: 'image', label: 'Images...', icon: 'file-media' },
    { kind: 'openEditors', label: 'Open Editors...', icon: 'files', startsGroup: true },
    { kind: 'problems', label: 'Problems...', icon: 'warning' },
    { kind: 'diff', label: 'Git Changes...', icon: 'diff' },
    { kind: 'notebook', label: 'Notebook Cells...', icon: 'notebook' },
  ],
  fonts: {},
  appearance: { times: 'inline' },
};

/** 2026-03-04 10:00 UTC. It isn't today, so times include a date. */
export const startMs = Date.UTC(2026, 2, 4, 10, 0, 0);

export const header: PageHeader = {
  title: 'Retry with jitter in the upload client',
  marks: [],
  sessionId: 'ses_01',
  status: 'running',
  statusLabel: 'Running',
  asOf: startMs + 3_600_000,
  isStale: false,
  model: 'claude-sonnet-4-5',
  filter: { detailLevel: 'work' },
};

export function row(key: string, blocks: readonly PageBlock[], more: Partial<PageRow> = {}): PageRow {
  const role = more.role ?? 'assistant';
  const roleLabel = { user: 'You', assistant: 'Agent', tool: 'Tool', system: 'System', unknown: 'Unknown' }[role];
  return { key, role, roleLabel, createdAt: startMs, isError: false, badges: [], blocks, ...more };
}

export function markdownRow(key: string, text: string, more: Partial<PageRow> = {}): PageRow {
  return row(key, [{ type: 'markdown', text }], more);
}

/** A row of steps, with the line that expands and collapses them if `summary` is given. */
export function stepsRow(key: string, lines: readonly PageStep[], summary?: PageSteps['summary']): PageRow {
  const label = summary?.label ?? lines.map(({ spoken }) => spoken).join(', ');
  return row(key, [], { role: 'tool', roleLabel: label, steps: { ...(summary ? { summary } : {}), lines } });
}

/** The line of a step that ran a command. */
export function stepOf(state: PageStep['state'], part: Partial<PageStep> = {}): PageStep {
  const step = { messageId: 'm', index: 0, kind: 'execute', state, label: 'Ran {0}', object: 'npm test' } as const;
  const label = (part.label ?? step.label).replace('{0}', part.object ?? step.object);
  const facts = [part.changed, part.status, part.took].filter((fact) => fact !== undefined);
  return { ...step, spoken: [label, ...facts].join(' '), ...part };
}

export function stubOf(of: PageRow): RowStub {
  const text = of.blocks
    .map((block) => (block.type === 'markdown' || block.type === 'code' ? block.text : ''))
    .join('\n');
  const lines = text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 60)), 0);
  return { key: of.key, estimatedLines: Math.max(1, lines) };
}

/** The session of {@link conversation}. */
export const shownSession = { origin: 'https://agents.example', sessionId: 'ses_01' };

/** A conversation with these rows and their bodies. `rowStubs` defaults to the stubs of the same rows. */
export function conversation(
  rows: readonly PageRow[],
  {
    rowStubs = rows.map(stubOf),
    ...more
  }: Partial<Omit<PageConversation, 'rowStubs'>> & { rowStubs?: readonly RowStub[] } = {},
): Extract<HostMessage, { type: 'conversation' }> {
  return {
    type: 'conversation',
    conversation: {
      ...shownSession,
      header,
      rowStubs: packStubs(rowStubs),
      earlierCount: 0,
      rows,
      older: { state: 'none', label: '' },
      composer: { attachments: [], canSend: true, hint: 'Enter sends', ...more.composer },
      draft: { text: '', selectionStart: 0, selectionEnd: 0 },
      comments: { items: [] },
      bookmarks: [],
      ...more,
    },
  };
}

/** `count` rows of varied, reproducible length: short lines, paragraphs, lists, and code. */
export function manyRows(count: number, from = 0): PageRow[] {
  return Array.from({ length: count }, (_, offset) => {
    const index = from + offset;
    const role = index % 4 === 0 ? 'user' : 'assistant';
    return markdownRow(`m${index}`, variedText(index), { role, roleLabel: role === 'user' ? 'You' : 'Agent' });
  });
}

const sentence = 'The upload client retries with a delay that doubles each time and starts at one second. ';

function variedText(index: number): string {
  const paragraphs = [`Message ${index}. ${sentence.repeat(1 + ((index * 7) % 5))}`];
  if (index % 3 === 0) paragraphs.push(`- one\n- two with \`code\`\n- three`);
  if (index % 5 === 0) paragraphs.push('```ts\nexport const delayMs = (n: number) => 2 ** n * 1000;\n```');
  if (index % 11 === 0) paragraphs.push(sentence.repeat(20));
  return paragraphs.join('\n\n');
}

/** A composer with an attachment, a hint, and a failure. */
export const fullComposer = {
  attachments: [{ attachmentId: 'a', name: 'retry.ts', detail: '1 KB', kind: 'file' }],
  canSend: true,
  hint: 'Enter sends',
  failure: 'That file is empty.',
} as const;
