import * as z from 'zod/mini';
import { type Arguments, argumentsOf, type NamedCall } from './namedCall.ts';
import { pathSchema } from './pathSchema.ts';
import type { FileChange, FilePiece, ToolCall } from './toolCall.ts';

/** If a call has more edits of one file, it is described without their text, so that the work is limited. */
const maxEdits = 2_000;

const text = z.string();
const oneEdit = z.object({ path: pathSchema, oldText: text, newText: text, occurrences: z.optional(z.unknown()) });
/** Each edit is checked later, after the number of edits. */
const editList = z.custom<readonly unknown[]>((value) => Array.isArray(value) && value.length > 0);
const manyEdits = z.object({ path: z.optional(pathSchema), edits: editList });
const editItem = z.object({
  path: z.optional(pathSchema),
  oldText: text,
  newText: text,
  occurrences: z.optional(z.unknown()),
});
const openFileEdit = z.object({ search: text, replace: text, occurrences: z.optional(z.unknown()) });
/** How often a text is replaced, as agents write it. */
type Occurrences = Pick<z.output<typeof openFileEdit>, 'occurrences'>;
const wholeFile = z.object({ path: pathSchema, content: text });
const insertion = z.object({ path: pathSchema, insertion: text });
const pathOnly = z.object({ path: pathSchema });
const pathList = z.object({ paths: z.array(pathSchema).check(z.minLength(1), z.maxLength(maxEdits)) });
const sketch = z.object({ path: pathSchema, sketch: text });
const move = z.object({ source: pathSchema, destination: pathSchema });
const editorCommand = z.object({
  path: pathSchema,
  command: z.enum(['view', 'create', 'write', 'str_replace', 'insert', 'append', 'undo_edit', 'delete']),
});

/** Tools that look at a change without making it, or that write something that isn't a file. */
const looks =
  /\b(preview|dry|validate|check|lint|review|diagnose|suggest|simulate|explain|analyze|compare|summarize|describe|show|get|read|view|comment|issue|wiki|page|breakpoint)\b/;

/** Arguments that contain text. A call with one of them that matches none of the shapes with text is malformed. */
const textNames = ['oldText', 'newText', 'edits', 'content', 'patch'] as const;

/**
 * Whether a call changes no files, because its tool only looks or writes something else, or because it is a dry run.
 */
export function changesNothing({ words, fields }: NamedCall): boolean {
  return looks.test(words) || fields.isDryRun === true;
}

/**
 * Recognizes a `path` with old and new text (Claude Code, Cursor, Copilot, Gemini CLI, opencode, Amp, droid, Continue).
 */
export function edit({ fields }: NamedCall): ToolCall | undefined {
  if (fields.oldText === undefined) return undefined;
  const { data } = oneEdit.safeParse(fields);
  return data && write([editOf(data.path, [pieceOf(data)])]);
}

/** Recognizes a text to replace in the file that an earlier call opened (SWE-agent). */
export function editOfOpenFile(call: NamedCall): ToolCall | undefined {
  if (!call.isNamed(/^(?:edit|replace)$/) || call.fields.path !== undefined) return undefined;
  const { data } = openFileEdit.safeParse(call.fields);
  if (!data || data.search === '') return undefined;
  return { kind: 'openEdit', piece: pieceOf({ ...data, oldText: data.search, newText: data.replace }) };
}

/** Recognizes a call of an editor tool with only new text (Cline): text to insert at a line, or else a whole file. */
export function editorEdit(call: NamedCall): ToolCall | undefined {
  const { path, oldText, newText, line } = call.fields;
  if (!call.isNamed(/\beditor\b/) || (oldText !== undefined && oldText !== '')) return undefined;
  const { data } = wholeFile.safeParse({ path, content: newText });
  if (!data) return undefined;
  return write([
    line === undefined
      ? whole(data.path, data.content, true)
      : edited(data.path, [{ oldText: '', newText: data.content }]),
  ]);
}

/**
 * Recognizes several edits: of one file (Claude Code, droid, opencode, Continue, MCP), or each with its path (Copilot).
 */
export function severalEdits({ fields }: NamedCall): ToolCall | undefined {
  if (fields.edits === undefined) return undefined;
  const { data } = manyEdits.safeParse(fields);
  if (!data) return undefined;
  if (data.edits.length > maxEdits) return data.path === undefined ? undefined : write([edited(data.path, [])]);
  const piecesByPath = new Map<string, FilePiece[]>();
  for (const item of data.edits) {
    const piece = editItem.safeParse(argumentsOf(item)).data;
    const path = piece?.path ?? data.path;
    // Part of a change would be a wrong description of it.
    if (!piece || path === undefined) return undefined;
    const pieces = piecesByPath.get(path);
    if (pieces) pieces.push(pieceOf(piece));
    else piecesByPath.set(path, [pieceOf(piece)]);
  }
  return write([...piecesByPath].map(([path, pieces]) => editOf(path, pieces)));
}

/** Recognizes a `command` for an editor (Anthropic's text editor tool, Copilot CLI, OpenHands, Goose, Amazon Q). */
export function editorCommandCall({ fields }: NamedCall): ToolCall | undefined {
  if (fields.path === undefined || fields.command === undefined) return undefined;
  const { data } = editorCommand.safeParse(fields);
  if (!data) return undefined;
  const { path, command } = data;
  switch (command) {
    case 'view':
      return { kind: 'read', paths: [path] };
    case 'create':
    case 'write': {
      const content = wholeFile.safeParse(fields).data?.content;
      return content === undefined ? undefined : write([whole(path, content, command === 'create')]);
    }
    case 'str_replace': {
      const { data: piece } = z.object({ oldText: text, newText: z.optional(text) }).safeParse(fields);
      return piece && write([edited(path, [{ oldText: piece.oldText, newText: piece.newText ?? '' }])]);
    }
    case 'insert':
    case 'append':
      return inserted(fields);
    case 'undo_edit':
      return write([edited(path, [])]);
    case 'delete':
      return write([{ path, change: 'deleted', pieces: [], isWhole: false }]);
  }
}

/** Recognizes a `path` with the whole content, or with text to insert, if the tool's name says that it writes. */
export function wholeWrite(call: NamedCall): ToolCall | undefined {
  const { fields } = call;
  if (!call.isNamed(/\b(write|create|save|overwrite|put|new|edit|update|replace|rewrite|insert|append|add)\b/)) {
    return undefined;
  }
  if (call.isNamed(/\b(insert|append|add)\b/) || fields.line !== undefined) return inserted(fields);
  const { data } = wholeFile.safeParse(fields);
  return data && write([whole(data.path, data.content, call.isNamed(/\b(create|new)\b/))]);
}

/**
 * Recognizes a change of a file without its text, or with only an outline of the change (Cursor, Copilot, notebooks,
 * Zed).
 */
export function editWithoutText(call: NamedCall): ToolCall | undefined {
  const { fields } = call;
  if (!call.isNamed(/\b(edit|insert|notebook|replace|update|create|reapply)\b/)) return undefined;
  const { data } = sketch.safeParse(fields);
  if (data) return write([edited(data.path, [])]);
  const { data: file } = pathOnly.safeParse(fields);
  if (!file || textNames.some((name) => fields[name] !== undefined)) return undefined;
  // SWE-agent's `create` has only a file name.
  if (!call.isNamed(/\b(file|notebook|reapply)\b|^create$/)) return undefined;
  const isNew = fields.mode === 'create' || call.isNamed(/\b(create)\b/);
  const change = { path: file.path, change: isNew ? 'created' : 'edited', pieces: [], isWhole: false } as const;
  return call.words === 'create' ? { kind: 'write', changes: [change], isOpened: true } : write([change]);
}

/** Recognizes one or several files to delete (Cursor, Zed). */
export function deletion(call: NamedCall): ToolCall | undefined {
  if (!call.isNamed(/\b(delete|remove|rm|unlink) ?(file|files|path|paths|notebook)?$/)) return undefined;
  const { data: list } = pathList.safeParse(call.fields);
  const { data: file } = pathOnly.safeParse(call.fields);
  const paths = list?.paths ?? (file && [file.path]);
  return paths && write(paths.map((path) => ({ path, change: 'deleted', pieces: [], isWhole: false })));
}

/** Recognizes a file to move or copy (Zed, the MCP file system server, Anthropic's memory tool). */
export function relocation(call: NamedCall): ToolCall | undefined {
  if (call.fields.source === undefined) return undefined;
  const { data } = move.safeParse(call.fields);
  if (!data) return undefined;
  const { source, destination } = data;
  if (call.isNamed(/\b(move|rename|mv)\b/) || call.fields.command === 'rename') {
    return write([{ path: source, change: 'renamed', newPath: destination, pieces: [], isWhole: false }]);
  }
  if (!call.isNamed(/\b(copy|cp)\b/)) return undefined;
  return write([{ path: destination, change: 'created', pieces: [], isWhole: false }]);
}

function write(changes: readonly FileChange[]): ToolCall {
  return { kind: 'write', changes };
}

/** A replaced piece, with the number of occurrences to replace, which agents specify in different ways. */
function pieceOf({ oldText, newText, occurrences }: Pick<FilePiece, 'oldText' | 'newText'> & Occurrences): FilePiece {
  if (occurrences === undefined) return { oldText, newText };
  const count = Number(occurrences);
  if (occurrences === true || occurrences === 'true') return { oldText, newText, occurrences: 'all' };
  return occurrences !== false && count > 1 && Number.isSafeInteger(count)
    ? { oldText, newText, occurrences: count }
    : { oldText, newText };
}

/** An edit whose first old text is empty creates the file, as Claude Code and Gemini CLI document. */
function editOf(path: string, pieces: readonly FilePiece[]): FileChange {
  if (pieces[0]?.oldText !== '') return edited(path, pieces);
  return { path, change: 'created', pieces, isWhole: pieces.length === 1 };
}

function edited(path: string, pieces: readonly FilePiece[]): FileChange {
  return { path, change: 'edited', pieces, isWhole: false };
}

function whole(path: string, content: string, isNew: boolean): FileChange {
  return { path, change: isNew ? 'created' : 'edited', pieces: [{ oldText: '', newText: content }], isWhole: true };
}

function inserted(fields: Arguments): ToolCall | undefined {
  const { data } = insertion.safeParse(fields);
  return data && write([edited(data.path, [{ oldText: '', newText: data.insertion }])]);
}
