import { afterAll, beforeAll } from 'vitest';
import type { ContentBlock, MessageDraft, Session } from '../../../src/demoService/resources.ts';
import type { SeededSession } from '../../../src/demoService/sessionStore.ts';
import { type SilentService, startSilentService } from '../../fakes/silentService.ts';

const token = 'key-of-mixed-sessions';
export const says = (text: string): MessageDraft => ({ role: 'assistant', content: [{ type: 'text', text }] });
const prompt: MessageDraft = {
  role: 'user',
  content: [{ type: 'text', text: 'Please move the basket to the database.' }],
};
const call = (name: string, input: Readonly<Record<string, unknown>>): MessageDraft => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id: 'call', name, input }],
});
const result: MessageDraft = {
  role: 'user',
  content: [{ type: 'tool_result', toolUseId: 'call', isError: false, content: 'done' }],
};
const question = call('AskUserQuestion', {
  questions: [
    {
      question: 'Which database should the basket use?',
      header: 'Database',
      multiSelect: false,
      options: [
        { label: 'PostgreSQL', description: 'As the orders do' },
        { label: 'SQLite', description: 'One file' },
      ],
    },
  ],
});
const plan = call('TodoWrite', {
  todos: [
    { content: 'Read the basket', status: 'completed', activeForm: 'Reading the basket' },
    { content: 'Write the tests', status: 'in_progress', activeForm: 'Writing the tests' },
    { content: 'Move the basket', status: 'pending', activeForm: 'Moving the basket' },
  ],
});

interface Kind {
  readonly title: string;
  /** Whether sessions of this kind may be waiting for the user. */
  readonly asks: boolean;
  readonly messages: readonly MessageDraft[];
  readonly session?: Partial<Session>;
}

/** The service has two sessions of each kind that asks and of `Is done`, and one of each other kind. */
const kinds: readonly Kind[] = [
  { title: 'Asks with a tool', asks: true, messages: [prompt, plan, result, question] },
  {
    title: 'Asks for approval',
    asks: true,
    messages: [prompt, call('ExitPlanMode', { plan: 'Move the basket to PostgreSQL' })],
  },
  {
    title: 'Ends in a question',
    asks: true,
    messages: [prompt, says('The basket is moved.\n\n**Shall I delete the old table?**')],
  },
  { title: 'Was answered', asks: false, messages: [prompt, question, result, says('I took PostgreSQL.')] },
  {
    title: 'Is done',
    asks: false,
    messages: [prompt, says('Why was it slow? The index was missing. It is fast now.')],
  },
  { title: 'Ends in code', asks: false, messages: [prompt, says('The page now prints `Delete it?`')] },
  {
    title: 'Is running',
    asks: false,
    messages: [prompt, says('Where is the basket?')],
    session: { status: 'running' },
  },
  { title: 'Has a new prompt', asks: false, messages: [prompt, question, prompt] },
  {
    title: 'Stopped at a tool',
    asks: false,
    messages: [prompt, says('Where is it?'), call('Read', { file_path: 'a.ts' }), result],
  },
  {
    title: 'Is archived',
    asks: false,
    messages: [prompt, says('Shall I go on?')],
    session: { sessionSettings: { archivedAt: '2026-01-01T00:00:00Z' } },
  },
];
const copiesOf = ({ title, asks }: Kind): readonly number[] => (asks || title === 'Is done' ? [1, 2] : [1]);

/** A service with sessions of which some may be waiting for the user. Its agent never answers. */
export interface MixedSessions {
  readonly baseUrl: string;
  readonly token: string;
  /** The text of the last message of a session. */
  lastText(sessionId: string): string;
  /** The sessions of all kinds, without `further`. */
  readonly sessions: readonly { readonly sessionId: string; readonly title: string; readonly asks: boolean }[];
  /** The requests for messages so far, as `<session> <query>`. */
  messageRequests(): string[];
  /** Sets the status of a session to running. */
  start(sessionId: string): void;
  /** Adds a message to a session, and sets its status to idle. */
  finish(sessionId: string, message: MessageDraft): void;
}

/**
 * Starts the service with `further` sessions once for the calling test file, and stops it after the last test. Its
 * members can be used only inside tests and hooks, except for `token` and `sessions`.
 */
export function useMixedSessions(further: readonly SeededSession[]): MixedSessions {
  const started: { service?: SilentService } = {};
  beforeAll(async () => {
    const seeds = kinds.flatMap((kind) => copiesOf(kind).map((copy) => seedOf(kind, copy)));
    started.service = await startSilentService([...seeds, ...further], token);
  });
  afterAll(() => started.service?.dispose());
  const running = () => {
    if (!started.service) throw new Error('The service runs inside tests and hooks only.');
    return started.service;
  };
  return {
    token,
    messageRequests: () =>
      running().urls.flatMap((url) => {
        const match = /\/sessions\/([^/?]+)\/messages\??(.*)/.exec(url);
        return match ? [`${match[1]} ${match[2]}`] : [];
      }),
    start: (sessionId) => running().store.setStatus(sessionId, 'running'),
    finish: (sessionId, message) => {
      running().store.append(sessionId, message);
      running().store.setStatus(sessionId, 'idle');
    },
    get baseUrl() {
      return started.service?.baseUrl ?? '';
    },
    lastText(sessionId) {
      const last = started.service?.store.messages(sessionId).at(-1);
      return last?.content.map((block) => (block.type === 'text' ? block.text : '')).join('') ?? '';
    },
    sessions: kinds.flatMap((kind) => {
      const { title, asks } = kind;
      return copiesOf(kind).map((copy) => ({ sessionId: idOf(title, copy), title: `${title} ${copy}`, asks }));
    }),
  };
}

function idOf(title: string, copy: number): string {
  return `${title.toLowerCase().replaceAll(' ', '-')}-${copy}`;
}

function seedOf({ title, messages, session }: Kind, copy: number): SeededSession {
  const startAt = Date.now() - 3_600_000 * (copy + 1);
  const sessionId = idOf(title, copy);
  const timesOf = (place: number) => ({ createdAt: startAt + place * 1_000, updatedAt: startAt + place * 1_000 });
  return {
    session: {
      sessionId,
      status: 'idle',
      messageCount: messages.length,
      ...timesOf(0),
      updatedAt: startAt + messages.length * 1_000,
      title: `${title} ${copy}`,
      ...session,
    },
    messages: messages.map((message, place) => ({
      ...message,
      content: message.content.map((block) => withOwnId(block, place)),
      id: `${sessionId}-${place}`,
      ...timesOf(place),
    })),
  };
}

/** Pairs a call with the result in the next message. */
function withOwnId(block: ContentBlock, place: number): ContentBlock {
  if (block.type === 'tool_use') return { ...block, id: `call-${place}` };
  return block.type === 'tool_result' ? { ...block, toolUseId: `call-${place - 1}` } : block;
}
