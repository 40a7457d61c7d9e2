import { afterEach, expect, it, vi } from 'vitest';
import { Consent } from '../../../../src/commands/languageModel/consent.ts';
import { Emitter } from '../../../../src/shared/lifecycle.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { commands, window } from '../../../fakes/recordedEditor.ts';
import { key, t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const token = { isCancellationRequested: false, onCancellationRequested: new Emitter<void>().event };

afterEach(() => {
  vi.restoreAllMocks();
});

/** The quick pick that asks about a longer message. The first row that begins with the entered text is active. */
class Question {
  title = '';
  placeholder = '';
  ignoreFocusOut = false;
  value = '';
  items: readonly { readonly label: string }[] = [];
  isOpen = false;
  #accept: () => void = () => undefined;
  #hide: () => void = () => undefined;

  get activeItems(): readonly { readonly label: string }[] {
    return this.items.filter(({ label }) => label.toLowerCase().startsWith(this.value)).slice(0, 1);
  }

  onDidAccept(listener: () => void): void {
    this.#accept = listener;
  }

  onDidHide(listener: () => void): void {
    this.#hide = listener;
  }

  show(): void {
    this.isOpen = true;
  }

  /** Types into the box, and presses Enter. */
  enter(text: string): void {
    this.value += text;
    this.#accept();
  }

  click(clicked: string): void {
    Object.defineProperty(this, 'activeItems', {
      value: this.items.filter(({ label }) => label === clicked),
      configurable: true,
    });
    this.#accept();
  }

  dispose(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#hide();
  }
}

/** The questions about longer messages so far. Each is answered by `answer` when it opens. */
function questions(answer: (question: Question) => void = () => undefined): readonly Question[] {
  const asked: Question[] = [];
  vi.spyOn(window, 'createQuickPick').mockImplementation(() => {
    const question = new Question();
    question.show = () => {
      question.isOpen = true;
      asked.push(question);
      answer(question);
    };
    return question as never;
  });
  return asked;
}

it('shows one message at a time, so that the user reads the one that the dialog asks about', async () => {
  const asked = questions();
  const open = vi.spyOn(commands, 'executeCommand');
  const opened = () => open.mock.calls.filter(([command]) => command === 'vscode.open').length;
  const consent = new Consent({ store: new Store(memoryBodies()), t });
  const long = (text: string) => `${text}\n`.repeat(30);
  const answers = Promise.all([
    consent.maySend(key, long('harmful'), token),
    consent.maySend(key, long('harmless'), token),
    consent.maySend(key, long('canceled'), { ...token, isCancellationRequested: true }),
  ]);
  await vi.waitUntil(() => asked.length === 1);
  await new Promise((resolve) => setImmediate(resolve));
  expect([asked.length, opened()]).toEqual([1, 1]);
  asked[0]?.dispose();
  await vi.waitUntil(() => asked.length === 2);
  expect(opened()).toBe(2);
  asked[1]?.click('Send');
  expect(await answers).toEqual([false, true, false]);
  expect(asked.map(({ isOpen }) => isOpen)).toEqual([false, false]);
  expect(asked.length).toBe(2);
});

it('does not send by an Enter press that was meant for something else', async () => {
  const asked = questions();
  const consent = new Consent({ store: new Store(memoryBodies()), t });
  const isSent = consent.maySend(key, 'a\n'.repeat(30), token);
  await vi.waitUntil(() => asked.length === 1);
  const [question] = asked;
  question?.enter('s');
  // The letters selected Send. Now all rows are shown again.
  expect([question?.isOpen, question?.value, question?.activeItems[0]?.label]).toEqual([true, '', "Don't Send"]);
  question?.enter('xyz');
  expect(question?.isOpen).toBe(true);
  question?.click('Send');
  expect(question?.isOpen).toBe(true);
  question?.click('Send');
  expect([question?.isOpen, await isSent]).toEqual([false, true]);
  const second = consent.maySend(key, 'a\n'.repeat(30), token);
  await vi.waitUntil(() => asked.length === 2);
  asked[1]?.enter('');
  expect(await second).toBe(false);
});

/** The dialogs about messages, and the files that were open when each of them was shown. */
async function askedAbout(...texts: readonly string[]) {
  const opened: unknown[] = [];
  const commandIds: unknown[] = [];
  vi.spyOn(commands, 'executeCommand').mockImplementation(async (...[command, uri]: unknown[]) => {
    await new Promise((resolve) => setImmediate(resolve));
    commandIds.push(command);
    if (command === 'vscode.open') opened.push(uri);
    return undefined;
  });
  const asked: { readonly detail: unknown; readonly opened: readonly string[] }[] = [];
  vi.spyOn(window, 'showWarningMessage').mockImplementation((...[, options]: unknown[]) => {
    const { detail } = options as { readonly detail: string };
    asked.push({ detail, opened: opened.map(String) });
    return Promise.resolve(undefined);
  });
  questions((question) => {
    const { title, placeholder, ignoreFocusOut, items } = question;
    asked.push({ detail: [{ title, placeholder, ignoreFocusOut }, items], opened: opened.map(String) });
    question.dispose();
  });
  const consent = new Consent({ store: new Store(memoryBodies()), t });
  const asking = { ...key, sessionId: `s${'x'.repeat(90)}` };
  for (const text of texts) await consent.maySend(asking, text, token);
  return { consent, asked, opened, commandIds };
}

const about = `Service: ${key.origin}\nSession: s${'x'.repeat(78)}…\n\n`;

it('names the service and the session, and contains a message of up to 20 lines and 2,000 characters', async () => {
  const texts = ['a'.repeat(2_000), `${'a\n'.repeat(19)}a`];
  const { asked } = await askedAbout(...texts);
  expect(asked).toEqual(texts.map((text) => ({ detail: about + text, opened: [] })));
});

it('shows a longer message in an editor first, and forgets it with the next one', async () => {
  const { asked, consent, opened, commandIds } = await askedAbout('a'.repeat(2_001), `${'a\n'.repeat(19)}\u202e\n`);
  const title = `Send this message from a language model to "s${'x'.repeat(78)}…"?`;
  const place = `Service: ${key.origin} Session: s${'x'.repeat(78)}…`;
  const note = ' Hidden characters are replaced by codes such as <U+202E>. The message is sent as it is shown.';
  expect(asked.map(({ detail }) => detail)).toEqual(
    [
      ['1 line', ''],
      ['21 lines', note],
    ].map(([lines, notes]) => [
      { title, placeholder: `The message is open in the editor (${lines}).`, ignoreFocusOut: true },
      [
        { label: "Don't Send", value: false },
        { label: 'Send', detail: `${place}${notes}`, value: true },
      ],
    ]),
  );
  expect(commandIds).toEqual(['vscode.open', 'vscode.open']);
  expect(asked.map((one) => one.opened.length)).toEqual([1, 2]);
  expect(asked[0]?.opened[0]).toContain('/message.txt');
  const [first, second] = opened as Parameters<Consent['files']['readFile']>[0][];
  // The quick pick covers the first lines of the editor, so the message begins below them.
  const file = Buffer.from(await consent.files.readFile(second!)).toString();
  const head = [title, ...place.split(/ (?=Session)/), note.trim(), '', '─'.repeat(40), ''].join('\n');
  // Because of the byte order mark, VS Code doesn't decode the file in the encoding of the user's settings.
  expect(file).toBe(`\ufeff${head}\n${'a\n'.repeat(19)}<U+202E>\n`);
  await expect(consent.files.readFile(first!)).rejects.toThrow();
});

/** A consent whose dialogs are answered with the given labels, one after the other, and the dialogs so far. */
function consentAnsweredBy(...labels: readonly (string | undefined)[]) {
  const asked: unknown[][] = [];
  vi.spyOn(window, 'showWarningMessage').mockImplementation((...[message, options, ...buttons]: unknown[]) => {
    const { modal, detail } = options as { readonly modal: boolean; readonly detail: string };
    asked.push([message, modal, detail, ...buttons]);
    return Promise.resolve(labels[asked.length - 1]);
  });
  const store = new Store(memoryBodies());
  return { consent: new Consent({ store, t }), store, asked };
}

it('asks once whether a session may be read, and remembers both answers', async () => {
  const { consent, store, asked } = consentAnsweredBy('Allow', undefined);
  const named = { ...key, sessionId: 'named' };
  store.addSession({ key: named, addedAt: 1, name: `Basket [x](command:y) ${'z'.repeat(80)}` });
  expect([await consent.mayRead(key), await consent.mayRead(key)]).toEqual([true, true]);
  expect([await consent.mayRead(named), await consent.mayRead(named)]).toEqual([false, false]);
  const detail =
    'An agent in VS Code requests messages of this session. They are sent to the language model that the agent uses. ' +
    'Lineside asks once per session in each window.';
  expect(asked).toEqual([
    ['Let a language model read "session-1"?', true, detail, "Don't Allow", 'Allow'],
    [`Let a language model read "Basket [x] (command:y) ${'z'.repeat(57)}…"?`, true, detail, "Don't Allow", 'Allow'],
  ]);
});

it('asks again if the question could not be shown', async () => {
  const { consent, asked } = consentAnsweredBy('Allow');
  vi.spyOn(window, 'showWarningMessage').mockRejectedValueOnce(new Error('The window is closing.'));
  await expect(consent.mayRead(key)).rejects.toThrow('The window is closing.');
  expect(await consent.mayRead(key)).toBe(true);
  expect(asked).toHaveLength(1);
});

it('asks once whether all sessions of a service may be read, and not about each of them if so', async () => {
  const { consent, asked } = consentAnsweredBy('Allow', undefined, 'Allow');
  const other = 'https://other.test';
  expect([await consent.mayReadAll(key.origin), await consent.mayReadAll(key.origin)]).toEqual([true, true]);
  expect(await consent.mayRead(key)).toBe(true);
  expect(await consent.mayReadAll(other)).toBe(false);
  expect(asked).toEqual(
    [key.origin, other].map((origin) => [
      'Let a language model search and read all your sessions?',
      true,
      `An agent in VS Code wants to search the sessions of ${origin}. Results are sent to the language model that the agent uses. Lineside asks once in each window.`,
      "Don't Allow",
      'Allow',
    ]),
  );
  // What was rejected for all sessions can be allowed for one.
  expect(await consent.mayRead({ origin: other, sessionId: 'one' })).toBe(true);
  expect(asked.length).toBe(3);
});

it('names the session in the question about a message: its title, or its ID, each in one line of 80 characters', async () => {
  const { consent, store, asked } = consentAnsweredBy();
  const unknown = { ...key, sessionId: 'u'.repeat(81) };
  const whole = { ...key, sessionId: 'w'.repeat(80) };
  store.addSession({ key, addedAt: 1, name: `Fix\n${'x'.repeat(76)}` });
  for (const one of [key, unknown, whole]) await consent.maySend(one, 'Go on', token);
  expect(asked.map(([message, modal, , ...buttons]) => [message, modal, ...buttons])).toEqual(
    [`Fix ${'x'.repeat(76)}`, `${'u'.repeat(79)}…`, 'w'.repeat(80)].map((name) => [
      `Send this message from a language model to "${name}"?`,
      true,
      "Don't Send",
      'Send',
    ]),
  );
});

it('says that hidden characters are replaced by codes, if there are any, and not otherwise', async () => {
  const { consent, asked } = consentAnsweredBy();
  for (const text of ['Go\u202eon', 'Go on', 'U+202E <U+20>']) await consent.maySend(key, text, token);
  const note = '\n\nHidden characters are replaced by codes such as <U+202E>. The message is sent as it is shown.';
  const about = `Service: ${key.origin}\nSession: session-1\n\n`;
  expect(asked.map(([, , detail]) => detail)).toEqual([
    `${about}Go<U+202E>on${note}`,
    `${about}Go on`,
    `${about}U+202E <U+20>`,
  ]);
});

it.each([
  ['a'.repeat(4_001), `${'a'.repeat(4_000)}↵\na`],
  [`${'a'.repeat(4_000)}\n${'b'.repeat(8_000)}`, `${'a'.repeat(4_000)}\n${'b'.repeat(4_000)}↵\n${'b'.repeat(4_000)}`],
  ['😀'.repeat(4_001), `${'😀'.repeat(4_000)}↵\n😀`],
])('breaks lines that the editor might not draw completely, and says so: %#', async (text, shown) => {
  const { asked, consent, opened, commandIds } = await askedAbout(text);
  const note =
    'Lines of more than 4,000 characters are broken after the mark ↵. The message is sent without these marks and line breaks.';
  const [file] = opened as Parameters<Consent['files']['readFile']>[0][];
  const content = Buffer.from(await consent.files.readFile(file!)).toString();
  expect(content.split(`\n${note}\n\n${'─'.repeat(40)}\n\n`)[1]).toBe(shown);
  expect(JSON.stringify(asked)).toContain(note);
  expect(commandIds).toEqual(['vscode.open']);
});

it('takes closing the question about a longer message as a no, and closes it if the call is canceled', async () => {
  const answers = [
    (question: Question) => question.dispose(),
    (question: Question) => question.click("Don't Send"),
    (question: Question) => question.click('Send'),
  ];
  const asked = questions((question) => answers.shift()?.(question));
  const consent = new Consent({ store: new Store(memoryBodies()), t });
  const canceled = new Emitter<void>();
  const send = () => consent.maySend(key, 'a\n'.repeat(30), { ...token, onCancellationRequested: canceled.event });
  expect([await send(), await send(), await send()]).toEqual([false, false, true]);
  const last = send();
  await vi.waitUntil(() => asked.length === 4);
  canceled.fire();
  expect([await last, asked[3]?.isOpen]).toEqual([false, false]);
});
