import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import type { Message } from '../../../../src/api/resources/message.ts';
import { AgentMarks } from '../../../../src/commands/work/agentMarks.ts';
import { ChangeFiles } from '../../../../src/commands/work/changeFiles.ts';
import { WorkspaceFile } from '../../../../src/host/files/workspacePaths.ts';
import { closeEvents, recorded, textEvents, Uri, window, workspace } from '../../../fakes/recordedEditor.ts';
import { headerOf, hostile, isDisguised, key, recordOf, sessionOf, t } from '../../state/samples.ts';
import { resultMarks, toolHeader } from '../../state/work/toolHeaders.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const text = ['// start', 'export const first = oneOf(these);', 'export const second = twoOf(these);', '}'].join('\n');

let folder: string;
let document: { uri: Uri; version: number; isClosed: boolean; text: string; getText(): string };
let drawn: readonly vscode.DecorationOptions[];
let readSessions: number;
let marks: AgentMarks;
const shownDocument = () => document as unknown as vscode.TextDocument;
const file = () => WorkspaceFile.of(document.uri as unknown as vscode.Uri) ?? expect.unreachable();
const lines = () => drawn.map(({ range }) => `${range.start.line}-${range.end.line}`);

/** The relative luminance of a color as WCAG defines it. */
function luminance(color: string): number {
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  const [red = 0, green = 0, blue = 0] = parts.map((part) =>
    part <= 0.04 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'lineside-marks-')));
  workspace.workspaceFolders = [{ uri: Uri.file(folder), name: 'shop' }];
  document = {
    ...{ uri: Uri.file(join(folder, 'src/a.ts')), version: 1, isClosed: false, text },
    getText: () => document.text,
  };
  drawn = [];
  readSessions = 0;
  const setDecorations = (_: unknown, options: readonly vscode.DecorationOptions[]) => (drawn = options);
  window.visibleTextEditors = [{ document, setDecorations }];
  window.activeTextEditor = window.visibleTextEditors[0];
  const input = { file_path: 'src/a.ts', old_string: 'x', new_string: text.split('\n').slice(1).join('\n') };
  const failed = { file_path: 'src/a.ts', old_string: 'x', new_string: '// start' };
  const headers = [
    headerOf('p', { role: 'user', firstLine: hostile }),
    toolHeader('m', ['Edit', input]),
    resultMarks('r', 'm', 'Done'),
    toolHeader('f', ['Edit', failed]),
    resultMarks('rf', 'f', 'String not found', true),
  ];
  const record = { ...recordOf({ session: sessionOf({ title: hostile }) }), headers };
  const messages = {
    headers: () => Promise.resolve(headers),
    places: () => ({}),
    *bodies(_: unknown, messageIds: readonly string[]) {
      readSessions += 1;
      const content = [{ type: 'tool_use', toolUseId: 'm', name: 'Edit', input }];
      yield messageIds.map((id) => ({ id, content }) as unknown as Message);
    },
  };
  const store = { records: [record], record: () => record };
  const agentFiles = {
    savePaths: () => Promise.resolve(),
    matcher: (_key: unknown, _headers: unknown, one: WorkspaceFile) => Promise.resolve(one),
  };
  const workspaceChanges = { watch: () => undefined, onDidChange: () => ({ dispose: () => undefined }) };
  const services = { store, messages, agentFiles, workspaceChanges, t };
  const changeFiles = new ChangeFiles(services as unknown as ConstructorParameters<typeof ChangeFiles>[0]);
  marks = new AgentMarks({ ...services, changeFiles } as unknown as ConstructorParameters<typeof AgentMarks>[0]);
});
afterEach(async () => {
  marks.dispose();
  window.visibleTextEditors = [];
  window.activeTextEditor = undefined;
  vi.useRealTimers();
  recorded.length = 0;
  await rm(folder, { recursive: true });
});

describe('the marks of lines that agents wrote', () => {
  it('read nothing before they are shown, and lead to the step', async () => {
    expect(readSessions).toBe(0);
    expect(await marks.of(shownDocument())).toEqual([]);
    expect(await marks.show(shownDocument(), file())).toBe(1);
    expect(lines()).toEqual(['1-3']);
    expect(await marks.of(shownDocument())).toMatchObject([{ start: 1, end: 4, source: { key, messageId: 'm' } }]);
    expect(recorded).toContainEqual({ what: 'command', args: ['setContext', 'lineside.showsAgentMarks', true] });
    await marks.hide(shownDocument());
    expect(lines()).toEqual([]);
    expect(await marks.of(shownDocument())).toEqual([]);
  });

  it('have a hover that is literal text, whatever a session says', async () => {
    await marks.show(shownDocument(), file());
    const [option = expect.unreachable()] = drawn;
    const { value } = option.hoverMessage as vscode.MarkdownString;
    expect(value).not.toMatch(/\]\(|<|command:/);
    expect(value.split('\n').filter(isDisguised)).toEqual([]);
  });

  it('contrast with light and dark backgrounds', async () => {
    await marks.show(shownDocument(), file());
    const [options] = recorded.flatMap(({ what, args }) => (what === 'decoration' ? args : []));
    const { light, dark } = options as Record<'light' | 'dark', { readonly gutterIconPath: Uri }>;
    const contrastOf = ({ gutterIconPath }: typeof light, background: string) => {
      const svg = Buffer.from(gutterIconPath.path.split(',')[1] ?? '', 'base64').toString();
      const [a, b] = [/fill="(#\w{6})"/.exec(svg)?.[1] ?? '', background].map((color) => luminance(color) + 0.05);
      return Math.max(a ?? 0, b ?? 0) / Math.min(a ?? 0, b ?? 0);
    };
    expect(contrastOf(light, '#FFFFFF')).toBeGreaterThan(4.5);
    expect(contrastOf(dark, '#1F1F1F')).toBeGreaterThan(4.5);
  });

  it('follow edits', async () => {
    await marks.show(shownDocument(), file());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    document.text = `// local\n${text.replace('twoOf', 'threeOf')}`;
    document.version = 2;
    expect(await marks.of(shownDocument())).toMatchObject([{ start: 2, end: 3 }]);
    textEvents.fire({ document });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(lines()).toEqual(['2-2']);
    expect(readSessions).toBe(1);
  });

  it('are neither shown for a file without such lines nor kept for a closed one', async () => {
    document.text = 'nothing of it';
    expect(await marks.show(shownDocument(), file())).toBe(0);
    expect(marks.isShown(shownDocument())).toBe(false);
    document.text = text;
    await marks.show(shownDocument(), file());
    document.isClosed = true;
    closeEvents.fire(document);
    expect(marks.isShown(shownDocument())).toBe(false);
  });
});
