import { beforeEach, describe, expect, it, vi } from 'vitest';
import { attachingCommands } from '../../../../src/commands/attachments/attachCommands.ts';
import { sendingCommands } from '../../../../src/commands/composer/sendingCommands.ts';
import type { CommandContext } from '../../../../src/commands/context.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import type { TextAnswer } from '../../../../src/host/prompts/askText.ts';
import { entryOf, key, ready, t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));
vi.mock('../../../../src/host/prompts/askText.ts', () => ({
  askText: ({ value }: { readonly value: string }): Promise<TextAnswer> => {
    offered.push(value);
    return Promise.resolve(answers.shift() ?? { kind: 'cancelled', text: value });
  },
}));
vi.mock('../../../../src/commands/sessions/pick.ts', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  pickSession: () => Promise.resolve(picked),
}));

const other = { ...key, sessionId: 's2' };
/** The session that the user picks; undefined if the user closes the list. */
let picked: typeof other | undefined;
/** The texts with which the input boxes open, and what the user does in the next ones. */
const offered: string[] = [];
let answers: TextAnswer[] = [];

const fromSelection = vi.fn(() => Promise.resolve([]));
let store: Store;
let sent: string[];
let context: CommandContext;
let failure: Error | undefined;
let kept: [string, ...unknown[]][];
let commands: ReturnType<typeof sendingCommands>;

beforeEach(() => {
  picked = other;
  sent = [];
  failure = undefined;
  kept = [];
  fromSelection.mockClear();
  store = new Store(memoryBodies());
  store.setConnection(ready);
  store.addSession({ key, addedAt: 1 });
  const outbox = {
    enqueue: (_: unknown, { text }: { readonly text: string }) => {
      if (failure) return Promise.reject(failure);
      sent.push(text);
      return Promise.resolve(entryOf({ text }));
    },
    settled: () => Promise.resolve({ state: 'accepted' }),
  };
  const blobs = { hold: () => undefined, release: () => Promise.resolve() };
  const navigation = { openConversation: () => Promise.resolve() };
  const attachments = { fromSelection, drop: () => Promise.resolve() };
  const activeConversation = { key: () => undefined };
  const drafts = {
    addText: (...added: unknown[]) => kept.push(['text', ...added]),
    addAttachments: (...added: unknown[]) => kept.push(['attachments', ...added]),
  };
  const services = { store, outbox, drafts, blobs, navigation, attachments, activeConversation, t };
  context = services as unknown as CommandContext;
  commands = sendingCommands(context);
});

it('sends a given text', async () => {
  await commands.sendMessage({ sessionId: key.sessionId, text: 'Go on' }, 'script');
  expect(sent).toEqual(['Go on']);
});

it('adds a message that could not be queued to the draft, so that text which a page saves does not replace it', async () => {
  failure = new Error('The disk is full.');
  const sending = commands.sendMessage({ sessionId: key.sessionId, text: 'Go on' }, 'script');
  await expect(sending).rejects.toThrow('It was added to your draft.');
  expect(kept).toEqual([
    ['text', key, 'Go on'],
    ['attachments', key, []],
  ]);
});

it.each(['', ' \n'])('sends no message that is blank: %j', async (text) => {
  const sending = commands.sendMessage({ sessionId: key.sessionId, text }, 'script');
  await expect(sending).rejects.toThrow('Enter a message.');
  expect(sent).toEqual([]);
});

describe('a message that is being entered', () => {
  const hide = (text: string): TextAnswer => ({ kind: 'cancelled', text });
  /** Asks for a message to a session. Resolves to the texts that the input boxes offered. */
  async function ask(session: { readonly sessionId: string }, ...next: readonly TextAnswer[]): Promise<string[]> {
    answers = [...next];
    offered.length = 0;
    await commands.sendMessage({ sessionId: session.sessionId }, 'user');
    return [...offered];
  }

  it('is offered again for its session if the input box was hidden, until it is sent or removed', async () => {
    store.addSession({ key: other, addedAt: 2 });
    expect(await ask(key, hide('Fix the tax'))).toEqual(['']);
    expect(await ask(other, hide(' '))).toEqual(['']);
    expect(await ask(key, { kind: 'text', text: 'Fix the tax first' })).toEqual(['Fix the tax']);
    expect(sent).toEqual(['Fix the tax first']);
    expect(await ask(key, hide('Fix'))).toEqual(['']);
    expect(await ask(key, hide(''))).toEqual(['Fix']);
    expect(await ask(key)).toEqual(['']);
  });

  it('goes with the user to another session', async () => {
    store.addSession({ key: other, addedAt: 2 });
    expect(await ask(key, { kind: 'back', text: 'Fix the tax' }, hide('Fix the tax'))).toEqual(['', 'Fix the tax']);
    expect(await ask(key, { kind: 'back', text: '' }, hide('Fix it'))).toEqual(['', 'Fix the tax']);
    expect(await ask(key)).toEqual(['']);
    expect(await ask(other)).toEqual(['Fix it']);
  });

  it('is offered again the next time if the list of sessions was closed, and the input box does not come back', async () => {
    store.addSession({ key: other, addedAt: 2 });
    picked = undefined;
    expect(await ask(key, { kind: 'back', text: 'Fix the tax' }, hide('Other'))).toEqual(['']);
    expect(await ask(key)).toEqual(['Fix the tax']);
  });

  it('is not what the command itself suggests for attachments', async () => {
    fromSelection.mockResolvedValue([{ name: 'a.ts' }] as never);
    const select = async (...next: readonly TextAnswer[]) => {
      answers = [...next];
      offered.length = 0;
      await commands.sendSelection({ sessionId: key.sessionId }, 'user');
      return [...offered];
    };
    expect(await select(hide('Take a look at a.ts.'))).toEqual(['Take a look at a.ts.']);
    expect(await ask(key, hide('Fix'))).toEqual(['']);
    expect(await select()).toEqual(['Fix']);
  });
});

describe('without a session', () => {
  const unknown = { sessionId: 'unknown', service: key.origin, text: 'Look' };
  const send = (argument: object) => commands.sendSelection(argument, 'user');
  const attach = (argument: object) => attachingCommands(context).attachSelection(argument);

  it.each([
    ['send', send],
    ['attach', attach],
  ])('the command to %s a selection neither asks about content nor copies it', async (_, run) => {
    await expect(run(unknown)).rejects.toThrow('Session "unknown" isn\'t in your list. Add it first.');
    store.removeSession(key);
    await expect(run({})).rejects.toThrow('No sessions. Add a session first.');
    expect(fromSelection).not.toHaveBeenCalled();
  });
});
