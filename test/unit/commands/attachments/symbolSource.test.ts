import type * as vscode from 'vscode';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Attachments } from '../../../../src/commands/attachments/attachments.ts';
import { symbolSource } from '../../../../src/commands/attachments/symbolSource.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import { translator } from '../../../../src/shared/translate.ts';
import { Drafts } from '../../../../src/sync/drafts/drafts.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import { commands, person, Position, Range, recorded, Uri, window, workspace } from '../../../fakes/recordedEditor.ts';
import { noTerminals } from '../../../fakes/terminals.ts';
import { OutboxRig } from '../../sync/outbox/outboxRig.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const t = translator('en');
const lines = ['/** Counts. */', 'class Basket {', '  add() {', '    return "ü";', '  }', '}', ''];
const range = (from: number, fromCharacter: number, to: number, toCharacter: number) =>
  new Range(new Position(from, fromCharacter), new Position(to, toCharacter));
const add = { name: 'add', kind: 5, range: range(2, 2, 4, 3) };
const basket = { name: 'Basket', kind: 4, range: range(1, 0, 6, 0), children: [add] };

let rig: OutboxRig;
let drafts: Drafts;
let attachments: Attachments;
let document: { uri: Uri; version: number; isDirty: boolean; getText: (part: Range) => string };
let answer: () => unknown;
beforeEach(async () => {
  rig = await OutboxRig.open();
  const { store, blobs, clock } = rig;
  drafts = new Drafts({ store, blobs, records: new RecordStores(rig.disk), clock, log: silentLog });
  attachments = new Attachments(blobs, drafts, noTerminals, t);
  workspace.workspaceFolders = [{ uri: Uri.file('/project'), name: 'project' }];
  document = { uri: Uri.file('/project/src/a.ts'), version: 1, isDirty: true, getText: textOf };
  cursorAt(3, 6);
  answer = () => [basket];
  const execute = () => Promise.resolve().then(answer) as Promise<string | undefined>;
  vi.spyOn(commands, 'executeCommand').mockImplementation(execute);
  recorded.length = 0;
  person.clicks = undefined;
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  window.activeTextEditor = undefined;
  drafts.dispose();
  await rig.close();
});

function textOf({ start, end }: Range): string {
  const part = lines.slice(start.line, end.line + 1);
  part[part.length - 1] = (part.at(-1) ?? '').slice(0, end.character);
  part[0] = (part[0] ?? '').slice(start.character);
  return part.join('\n');
}

function cursorAt(line: number, character: number): void {
  window.activeTextEditor = { document, selection: { active: new Position(line, character) } };
}

const source = () => symbolSource(attachments, t);
interface PickerRow {
  readonly label: string;
  readonly description: string;
}
/** What the picker showed: its rows, and the active ones. */
const shown = () => {
  const [, rows, active] = recorded.find(({ what }) => what === 'picker')!.args as [string, PickerRow[], PickerRow[]];
  return { rows: rows.map(({ label, description }) => [label, description]), active: active.map(({ label }) => label) };
};

async function bytesOf(target: { readonly atCursor?: boolean } = {}) {
  const [stored] = (await source().choose(target)) ?? [];
  const chunks: Uint8Array[] = [];
  for await (const chunk of rig.blobs.open(stored!.blobId, stored!.sizeBytes).read()) chunks.push(chunk.slice());
  return { stored, text: Buffer.concat(chunks).toString('utf8') };
}

describe('a symbol', () => {
  it('is attached like a selection of its whole range', async () => {
    person.clicks = 'add';
    const { stored, text } = await bytesOf();
    expect(text).toBe('add() {\n    return "ü";\n  }');
    expect(stored).toMatchObject({
      kind: 'selection',
      name: 'a.ts#L3-L5',
      path: 'src/a.ts',
      mediaType: 'text/plain',
      isUnsaved: true,
      sourceUri: document.uri.toString(),
    });
  });

  it('is chosen from all symbols with their containers and lines; the one at the cursor is active', async () => {
    expect(await source().choose({})).toBeUndefined();
    expect(shown()).toEqual({
      rows: [
        ['Basket', 'L2-L6'],
        ['add', 'Basket · L3-L5'],
      ],
      active: ['add'],
    });
  });

  it('is the innermost one at the cursor, without a picker, if the command asks for that', async () => {
    cursorAt(4, 3);
    expect((await bytesOf({ atCursor: true })).stored).toMatchObject({ name: 'a.ts#L3-L5' });
    cursorAt(2, 0);
    expect((await bytesOf({ atCursor: true })).stored).toMatchObject({ name: 'a.ts#L2-L6' });
    cursorAt(0, 0);
    await expect(source().choose({ atCursor: true })).rejects.toThrow('No symbol found at the cursor.');
    expect(recorded).toEqual([]);
  });

  it('is not attached if the document changed while the picker was open', async () => {
    person.clicks = 'add';
    answer = () => {
      document.version++;
      return [basket];
    };
    await expect(source().choose({})).rejects.toThrow('"a.ts" has changed. Try again.');
  });

  it('is attached from a file that the person might not mean to send only after asking', async () => {
    document = { ...document, uri: Uri.file('/elsewhere/a.ts') };
    cursorAt(3, 6);
    expect(await source().choose({ atCursor: true })).toBeUndefined();
    expect(recorded.map(({ args: [question] }) => question)).toEqual(['Attach "a.ts"?']);
  });

  it('shows the name that an extension gave it in one line, without disguises or icons', async () => {
    answer = () => [
      { ...basket, name: 'a\u202eb\n$(rocket)', children: [{ ...add, name: `\u2066${'x'.repeat(500)}` }] },
    ];
    await source().choose({});
    const { rows } = shown();
    expect(rows[0]).toEqual(['a<U+202E>b \\$(rocket)', 'L2-L6']);
    expect(rows[1]?.[0]).toMatch(/^<U\+2066>x{100,}…$/);
    expect(rows[1]?.[1]).toBe('a<U+202E>b \\$(rocket) · L3-L5');
  });
});

describe('the symbols of a document', () => {
  it('are unavailable, with the reason, if no editor is open or the document has none', async () => {
    expect(await source().whyUnavailable()).toBeUndefined();
    answer = () => undefined;
    expect(await source().whyUnavailable()).toBe('No symbols found in "a.ts".');
    await expect(source().choose({})).rejects.toThrow('No symbols found in "a.ts".');
    window.activeTextEditor = undefined;
    expect(await source().whyUnavailable()).toBe('No file is open in the active editor.');
    await expect(source().choose({})).rejects.toMatchObject({ reason: 'noEditor' });
  });

  it('count as none if an extension fails to provide them', async () => {
    answer = () => {
      throw new Error('provider failed');
    };
    expect(await source().whyUnavailable()).toBe('No symbols found in "a.ts".');
    await expect(source().choose({})).rejects.toThrow('No symbols found in "a.ts".');
  });

  it('may be available as long as an extension does not answer, and waiting for them can be canceled', async () => {
    vi.useFakeTimers();
    answer = () => new Promise(() => undefined);
    const reason = source().whyUnavailable();
    await vi.advanceTimersByTimeAsync(500);
    expect(await reason).toBeUndefined();
    person.clicks = 'Cancel';
    const chosen = source().choose({});
    await vi.advanceTimersByTimeAsync(500);
    expect(await chosen).toBeUndefined();
    expect(recorded).toEqual([{ what: 'progress', args: ['Searching...'] }]);
  });
});

it('needs the document of an editor only, so that a visible one is enough when a view has the focus', async () => {
  window.visibleTextEditors = [window.activeTextEditor as vscode.TextEditor];
  window.activeTextEditor = undefined;
  expect((await bytesOf({ atCursor: true })).stored).toMatchObject({ name: 'a.ts#L3-L5' });
  window.visibleTextEditors = [];
});
