import type * as vscode from 'vscode';
import { lineRange } from '../../host/editors/documents.ts';
import { lastTextEditor } from '../../host/editors/openEditors.ts';
import { NotAttachable } from '../../host/editors/pickedContent.ts';
import { type DocumentSymbolChoice, documentSymbols, symbolAt } from '../../host/editors/symbols.ts';
import { baseName } from '../../host/files/workspacePaths.ts';
import { askChoice } from '../../host/prompts/askChoice.ts';
import { isOverWithin, untilAborted, withCancel } from '../../host/prompts/progress.ts';
import { type Translate, plainLine } from '../../shared/text.ts';
import { NothingToDoError, UserFacingError } from '../commandErrors.ts';
import type { AttachmentSource } from './attachmentSource.ts';
import type { Attachments } from './attachments.ts';

/** The Attach menu doesn't wait longer for the reason why a document has no symbols. */
const reasonLimitMs = 500;

/** A symbol in the last active text editor: the one that the user chooses, or the innermost one at the cursor. */
export function symbolSource(attachments: Attachments, t: Translate): AttachmentSource<'symbol'> {
  const title = t('Attach Symbol');
  return {
    kind: 'symbol',
    label: t('Symbol...'),
    title,
    whyUnavailable: () => whyUnavailable(t),
    choose: async ({ atCursor = false }) => {
      const editor = lastTextEditor();
      if (!editor) throw new NotAttachable('noEditor', '');
      const { document } = editor;
      const { version } = document;
      const symbols = await withCancel(t('Searching...'), (signal) => untilAborted(documentSymbols(document), signal));
      if (!symbols) return undefined;
      if (symbols.length === 0) throw new NothingToDoError(noSymbolsSentence(document, t));
      const current = symbolAt(symbols, editor.selection.active);
      if (atCursor && !current) throw new NothingToDoError(t('No symbol found at the cursor.'));
      const chosen = atCursor ? current : await chooseSymbol(symbols, current, title, t);
      if (!chosen) return undefined;
      // The positions are those of the version that was read.
      if (document.version !== version) throw new UserFacingError(t('"{0}" has changed. Try again.', nameOf(document)));
      return attachments.fromRange(document, chosen.range);
    },
  };
}

async function whyUnavailable(t: Translate): Promise<string | undefined> {
  const document = lastTextEditor()?.document;
  if (!document) return t('No file is open in the active editor.');
  const symbols = documentSymbols(document);
  if (!(await isOverWithin(symbols, reasonLimitMs)) || (await symbols).length > 0) return undefined;
  return noSymbolsSentence(document, t);
}

async function chooseSymbol(
  symbols: readonly DocumentSymbolChoice[],
  current: DocumentSymbolChoice | undefined,
  title: string,
  t: Translate,
): Promise<DocumentSymbolChoice | undefined> {
  const choices = symbols.map((symbol) => ({
    label: plainLine(symbol.name, 120),
    description: descriptionOf(symbol),
    icon: symbol.icon,
    value: symbol,
  }));
  const answer = await askChoice({ title, placeholder: t('Select what to attach'), choices, current });
  return answer.kind === 'chosen' ? answer.value : undefined;
}

/** The names of the symbols that contain a symbol, and the lines of the symbol. */
function descriptionOf({ containers, range }: DocumentSymbolChoice): string {
  const path = containers.map((name) => plainLine(name, 60)).join(' › ');
  return [...(path === '' ? [] : [path]), lineRange(range)].join(' · ');
}

function noSymbolsSentence(document: vscode.TextDocument, t: Translate): string {
  return t('No symbols found in "{0}".', nameOf(document));
}

function nameOf({ uri }: vscode.TextDocument): string {
  return plainLine(baseName(uri), 120);
}
