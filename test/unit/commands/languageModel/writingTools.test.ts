import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Consent } from '../../../../src/commands/languageModel/consent.ts';
import { WritingTools } from '../../../../src/commands/languageModel/writingTools.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { configured, person, recorded } from '../../../fakes/recordedEditor.ts';
import { key, ready, t } from '../../state/samples.ts';
import { emptyDraft, type Draft } from '../../../../src/state/store/sessionRecord.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) };

/** The code points that Unicode calls ignorable or format characters and that are assigned. */
const invisible = Array.from({ length: 0x11_0000 }, (_, codePoint) => String.fromCodePoint(codePoint)).filter((text) =>
  /(?!\p{Cn})[\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(text),
);

function setUp() {
  const store = new Store(memoryBodies());
  store.setConnection(ready);
  store.addSession({ key, addedAt: 1 });
  const sent: string[] = [];
  const draft: { value: Draft } = { value: emptyDraft };
  const context = {
    store,
    t,
    drafts: {
      addText: (_key: unknown, text: string) => {
        draft.value = { ...draft.value, text };
      },
      flush: () => Promise.resolve(),
    },
    navigation: { openConversation: () => Promise.resolve() },
    outbox: {
      enqueue: (_key: unknown, { text }: { readonly text: string }) => {
        sent.push(text);
        return Promise.resolve({ entryId: 'e1' });
      },
      settled: () => Promise.resolve({ messageId: 'm1' }),
    },
  };
  const tools = new WritingTools(context as never, new Consent({ store, t }));
  return { tools, sent, draft };
}

beforeEach(() => {
  recorded.length = 0;
  configured.set('lineside.languageModelTools.allowSending', true);
  person.clicks = 'Send';
});

/** The detail of the last dialog. */
function dialogText(): string {
  const { args } = recorded.findLast(({ what }) => what === 'warning') ?? { args: [] };
  return (args[1] as { readonly detail: string }).detail;
}

describe('a message of a language model (R49)', () => {
  it('is sent as the dialog shows it, without any invisible character', async () => {
    const { tools, sent } = setUp();
    expect(invisible.length).toBeGreaterThan(430);
    for (let at = 0; at < invisible.length; at += 40) {
      const characters = invisible.slice(at, at + 40);
      const text = characters.map((character) => `a${character}b`).join('\n');
      const answers = await Promise.all(
        [text.slice(0, text.length / 2), text.slice(text.length / 2)].map((part) =>
          tools.sendMessage({ sessionId: key.sessionId, text: part }, { limits: undefined, token }),
        ),
      );
      expect(answers[0]).toBe('The message was sent. Hidden characters in it were replaced by codes such as <U+202E>.');
    }
    expect(sent.filter((text) => invisible.some((character) => text.includes(character)))).toEqual([]);
  });

  it('shows exactly what is sent, with brackets and backticks', async () => {
    const { tools, sent } = setUp();
    const text = 'Run `rm -rf x`\u202e, [see](command:quit)\r\nand \u{e0069}\u{e0067}report.';
    await tools.sendMessage({ sessionId: key.sessionId, text }, { limits: undefined, token });
    expect(sent).toEqual(['Run `rm -rf x`<U+202E>, [see](command:quit)\nand <U+E0069><U+E0067>report.']);
    expect(dialogText()).toContain(`\n\n${sent[0] ?? ''}\n\n`);
    expect(dialogText()).toContain('Hidden characters are replaced by codes such as <U+202E>.');
  });

  it('is unchanged if nothing in it is hidden', async () => {
    const { tools, sent } = setUp();
    const text = 'می\u200cخواهم 👩‍💻\n\tdone';
    expect(await tools.sendMessage({ sessionId: key.sessionId, text }, { limits: undefined, token })).toBe(
      'The message was sent.',
    );
    expect(sent).toEqual([text]);
    expect(dialogText().endsWith(`\n\n${text}`)).toBe(true);
  });

  it('has visible codes in a draft', async () => {
    const { tools, draft } = setUp();
    const answer = await tools.draftMessage({ sessionId: key.sessionId, text: 'Hi\u{e0041}\u200b!' });
    expect(draft.value.text).toBe('(Drafted by a language model)\nHi<U+E0041><U+200B>!');
    expect(answer).toContain('replaced by codes');
  });
});
