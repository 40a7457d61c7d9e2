import type { Memento } from 'vscode';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { TabInputText, window } from 'vscode';
import { ComposeEditors } from '../../../../src/commands/composer/composeEditors.ts';
import type { ComposerController } from '../../../../src/commands/composer/composerController.ts';
import type { PageServices } from '../../../../src/commands/context.ts';
import { emptyDraft, type Draft } from '../../../../src/state/store/sessionRecord.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { paragraphs } from '../../../../src/shared/text/paragraphs.ts';
import { type TypedText, withAddition, withTyped } from '../../../../src/sync/drafts/draftEdits.ts';
import { recorded } from '../../../fakes/recordedEditor.ts';
import { key, t } from '../../state/samples.ts';

/**
 * An editor with one untitled document. It applies edits later, and rejects edits of older versions as VS Code does.
 */
const editor = vi.hoisted(() => {
  const state = {
    text: '',
    eol: '\n',
    version: 1,
    edits: [] as (() => void)[],
    listeners: [] as ((event: object) => void)[],
  };
  const document = {
    uri: { toString: () => 'untitled:1' },
    languageId: 'lineside-markdown',
    get version() {
      return state.version;
    },
    isClosed: false,
    lineCount: 1,
    getText: () => state.text,
    positionAt: () => ({}),
  };
  const change = (text: string) => {
    state.text = text.replaceAll('\n', state.eol);
    state.version++;
    for (const listener of state.listeners) listener({ document });
  };
  const applyEdit = ({ text }: { text: string }) => {
    const { version } = state;
    return new Promise<boolean>((resolve) => {
      state.edits.push(() => {
        const isCurrent = version === state.version;
        if (isCurrent) change(text);
        resolve(isCurrent);
      });
    });
  };
  return { state, document, change, applyEdit };
});

vi.mock('vscode', async () => {
  const fake = await import('../../../fakes/recordedEditor.ts');
  const nothing = { dispose: () => undefined };
  class WorkspaceEdit {
    text = '';

    replace(_uri: object, _range: object, text: string): void {
      this.text = text;
    }
  }
  class TabInputText {
    readonly uri: object;

    constructor(uri: object) {
      this.uri = uri;
    }
  }
  return {
    ...fake,
    WorkspaceEdit,
    TabInputText,
    languages: { registerCodeLensProvider: () => nothing },
    window: {
      ...fake.window,
      onDidChangeActiveTextEditor: () => nothing,
      showTextDocument: () => Promise.resolve(),
      activeTextEditor: undefined,
      tabGroups: { all: [], close: () => Promise.resolve(true) },
    },
    workspace: {
      textDocuments: [editor.document],
      openTextDocument: ({ content }: { content: string }) => {
        editor.state.text = content;
        return Promise.resolve(editor.document);
      },
      onDidChangeTextDocument: (listener: (event: object) => void) => {
        editor.state.listeners.push(listener);
        return nothing;
      },
      onDidCloseTextDocument: () => nothing,
      applyEdit: editor.applyEdit,
    },
  };
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

let editors: ComposeEditors;
afterEach(() => {
  editors.dispose();
  editor.state.edits.length = 0;
  editor.state.listeners.length = 0;
  editor.state.eol = '\n';
});

/** Opens the draft in the document. */
async function open({ text: saved = '', restored = false, typed = '' } = {}) {
  const store = new Store(memoryBodies());
  store.addSession({ key, addedAt: 1 });
  let draft: Draft = withTyped(emptyDraft, { text: saved, selectionStart: 0, selectionEnd: 0 });
  const drafts = {
    get: () => draft,
    setText: (_key: object, part: TypedText, source?: unknown) => {
      draft = withTyped(draft, part);
      store.setDraft(key, draft, draft.text === part.text ? source : undefined);
    },
  };
  const add = (text: string) => {
    draft = withAddition(draft, text, 1);
    store.setDraft(key, draft);
  };
  const services = {
    store,
    drafts,
    lifecycle: { start: () => Promise.resolve(true), ensureStarted: () => Promise.resolve() },
    t,
  } as unknown as PageServices;
  const documents = restored ? [{ uri: 'untitled:1', key }] : undefined;
  const memento = { get: () => documents, update: () => Promise.resolve() } as unknown as Memento;
  /** Completes the call of `send`. With an error, the text is put back into the draft, as the controller does. */
  let finish: (error?: Error) => void = () => undefined;
  const send = vi.fn((_key: object, { text }: { readonly text: string }) => {
    drafts.setText(key, { text: '', selectionStart: 0, selectionEnd: 0 });
    return new Promise<void>((resolve, reject) => {
      finish = (error) => {
        if (error) drafts.setText(key, { text: paragraphs(text, draft.text), selectionStart: 0, selectionEnd: 0 });
        if (error) reject(error);
        else resolve();
      };
    });
  });
  editors = new ComposeEditors(services, { send } as unknown as ComposerController, memento);
  const type = (text: string) => drafts.setText(key, { text, selectionStart: 0, selectionEnd: 0 }, 'page');
  const opening = restored ? undefined : editors.open(key);
  if (typed !== '') type(typed);
  await opening;
  const comment = () => {
    draft = {
      ...draft,
      comments: [{ commentId: 'c', messageId: 'm', quote: 'q', offset: 0, text: 'Why?' }],
    };
  };
  const show = () => store.setDraft(key, draft);
  return { type, add, comment, show, send, finish: (error?: Error) => finish(error), text: () => draft.text };
}

it('takes text that is typed in a page faster than the editor applies it', async () => {
  const { type, text } = await open();
  type('He');
  type('Hel');
  for (let turns = 0; turns < 5; turns++) {
    editor.state.edits.shift()?.();
    await turn();
  }
  expect([editor.state.text, text()]).toEqual(['Hel', 'Hel']);
});

it('shows what is typed in a page while VS Code opens the document', async () => {
  const opening = open({ text: 'Hel', typed: 'Hello' });
  await turn();
  editor.state.edits.shift()?.();
  const { text } = await opening;
  expect([editor.state.text, text()]).toEqual(['Hello', 'Hello']);
});

it('uses the line breaks of the draft, whichever the document uses', async () => {
  const { type, text } = await open();
  editor.state.eol = '\r\n';
  type('a\nb');
  for (let turns = 0; turns < 5; turns++) {
    editor.state.edits.shift()?.();
    await turn();
  }
  expect([editor.state.text, text(), editor.state.edits.length]).toEqual(['a\r\nb', 'a\nb', 0]);
  editor.change('a\nb\nc');
  await turn();
  expect(text()).toBe('a\nb\nc');
});

it('puts text that is typed in the editor into the draft, also while the editor applies an edit', async () => {
  const { type, text } = await open();
  editor.change('typed');
  await turn();
  expect(text()).toBe('typed');
  type('typed in a page');
  editor.change('typed here');
  await turn();
  for (let turns = 0; turns < 5; turns++) {
    editor.state.edits.shift()?.();
    await turn();
  }
  expect([editor.state.text, text()]).toEqual(['typed here', 'typed here']);
});

it('keeps, exactly once, a text that is added to the draft while the user types in the editor', async () => {
  const { add, text } = await open();
  const apply = async () => {
    for (let turns = 0; turns < 5; turns++) {
      editor.state.edits.shift()?.();
      await turn();
    }
  };
  editor.change('own');
  await turn();
  add('added');
  // The user types before the edit is applied, so the editor rejects it.
  editor.change('own words');
  await turn();
  await apply();
  expect([editor.state.text, text()]).toEqual(['own words\n\nadded', 'own words\n\nadded']);
  add('more');
  editor.state.edits.shift()?.();
  // The user types before the extension learns that the edit was applied.
  editor.change(`${editor.state.text}!`);
  await turn();
  await apply();
  expect([editor.state.text, text()]).toEqual(Array(2).fill('own words\n\nadded\n\nmore!'));
  editor.change('own words');
  await turn();
  expect(text()).toBe('own words');
});

/** Applies the edits of the extension, one after the other. */
async function applyEdits(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) {
    editor.state.edits.shift()?.();
    await turn();
  }
}

describe('Send to Session in an editor', () => {
  beforeEach(() => {
    recorded.length = 0;
    vi.spyOn(window, 'activeTextEditor', 'get').mockReturnValue({ document: editor.document } as never);
    vi.spyOn(window.tabGroups, 'all', 'get').mockReturnValue([{ tabs: [other] }, { tabs: [own, other] }] as never);
    close = vi.spyOn(window.tabGroups, 'close').mockResolvedValue(true);
  });
  afterEach(() => vi.restoreAllMocks());
  const own = { input: new TabInputText(editor.document.uri as never) };
  const other = { input: new TabInputText({ toString: () => 'untitled:2' } as never) };
  let close: MockInstance<typeof window.tabGroups.close>;
  const isClosed = () => close.mock.calls.length > 0;

  it('sends a draft without text if it has comments, and nothing if it is empty', async () => {
    const { comment, send, finish } = await open();
    await expect(editors.sendActive()).rejects.toThrow('Enter a message first.');
    comment();
    const sending = editors.sendActive();
    finish();
    await sending;
    expect(send.mock.calls).toEqual([[key, { text: '', addedId: 0 }]]);
  });

  it('closes the editor when the message is sent', async () => {
    const { finish, text } = await open({ text: 'first' });
    const sending = editors.sendActive();
    await applyEdits();
    expect([editor.state.text, text(), isClosed()]).toEqual(['', '', false]);
    finish();
    await sending;
    expect(close.mock.calls).toEqual([[[own]]]);
    expect(editors.keyOf(editor.document as never)).toBeUndefined();
  });

  it('leaves alone the editor that is active when the message is sent', async () => {
    const { finish } = await open({ text: 'first' });
    const show = vi.spyOn(window, 'showTextDocument');
    const sending = editors.sendActive();
    await applyEdits();
    vi.spyOn(window, 'activeTextEditor', 'get').mockReturnValue({ document: {} } as never);
    finish();
    await sending;
    const acts = recorded.filter(({ args }) => args[0] !== 'setContext');
    expect([close.mock.calls, show.mock.calls, acts]).toEqual([[[[own]]], [], []]);
  });

  it('closes the editor only when it has become empty', async () => {
    const { finish } = await open({ text: 'first' });
    const sending = editors.sendActive();
    finish();
    await turn();
    expect([editor.state.text, isClosed()]).toEqual(['first', false]);
    await applyEdits();
    await sending;
    expect([editor.state.text, isClosed()]).toEqual(['', true]);
  });

  it('still belongs to the session if VS Code asks about unsaved changes and the user cancels', async () => {
    const { finish } = await open({ text: 'first' });
    close.mockResolvedValue(false);
    const sending = editors.sendActive();
    await applyEdits();
    finish();
    await sending;
    expect(editors.keyOf(editor.document as never)).toEqual(key);
  });

  it('sends a message once if the command runs again before the editor is empty', async () => {
    const { send, finish } = await open({ text: 'first' });
    const sending = editors.sendActive();
    await expect(editors.sendActive()).rejects.toThrow('Enter a message first.');
    await applyEdits();
    finish();
    await sending;
    expect(send.mock.calls.map(([, { text }]) => text)).toEqual(['first']);
  });

  it('keeps what is typed while the message waits', async () => {
    const { finish, text } = await open({ text: 'first' });
    const sending = editors.sendActive();
    await applyEdits();
    editor.change('next');
    await turn();
    finish();
    await sending;
    expect([editor.state.text, text(), isClosed()]).toEqual(['next', 'next', false]);
    expect(editors.keyOf(editor.document as never)).toEqual(key);
  });

  it('keeps what is typed before the editor has become empty, without the text that is sent', async () => {
    const { finish, text } = await open({ text: 'first' });
    const sending = editors.sendActive();
    editor.change('first, and next');
    await turn();
    await applyEdits();
    finish();
    await sending;
    expect([editor.state.text, text(), isClosed()]).toEqual([', and next', ', and next', false]);
  });

  it('keeps the text and what is typed after it if the message is not sent before the editor is empty', async () => {
    const { finish, text } = await open({ text: 'first' });
    const sending = editors.sendActive();
    finish(new Error('Not sent.'));
    await expect(sending).rejects.toThrow('Not sent.');
    editor.change('first, and next');
    await turn();
    await applyEdits();
    expect([editor.state.text, text()]).toEqual(Array(2).fill('first, and next'));
  });

  it('returns the text if the message is not sent, and stays in sync', async () => {
    const { finish, text } = await open({ text: 'first' });
    const sending = editors.sendActive();
    await applyEdits();
    finish(new Error('Not sent.'));
    await expect(sending).rejects.toThrow('Not sent.');
    await applyEdits();
    expect([editor.state.text, text(), isClosed()]).toEqual(['first', 'first', false]);
    editor.change('first again');
    await turn();
    expect(text()).toBe('first again');
  });
});

describe('an editor that VS Code restores', () => {
  it.each([
    { version: 1, expected: 'saved' },
    { version: 2, expected: 'typed after the reload' },
  ])('has the saved draft, unless the user has typed in it: version $version', async ({ version, expected }) => {
    Object.assign(editor.state, { text: 'typed after the reload', version });
    const { show, text } = await open({ text: 'saved', restored: true });
    show();
    await turn();
    await applyEdits();
    expect([editor.state.text, text()]).toEqual([expected, expected]);
  });

  it('follows the draft after the user has typed in it', async () => {
    Object.assign(editor.state, { text: '', version: 1 });
    const { add, text } = await open({ restored: true });
    editor.change('typed');
    await turn();
    add('added');
    await applyEdits();
    expect([editor.state.text, text()]).toEqual(Array(2).fill('typed\n\nadded'));
  });
});
