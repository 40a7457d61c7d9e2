import * as z from 'zod/mini';
import { parseJson } from '../../shared/json.ts';
import { startOfText } from '../../shared/text/cutPoint.ts';
import { hasTerminalCodes, plainTerminalText } from '../../shared/text/terminalText.ts';

/** An item of a cell's output, as in `vscode.NotebookCellOutputItem`. */
interface OutputItem {
  readonly mime: string;
  readonly data: Uint8Array;
}

/** The maximum length of the text of a cell's outputs, in UTF-16 code units. Longer text ends with an ellipsis. */
const maxLength = 100_000;
const errorMime = 'application/vnd.code.notebook.error';
const errorSchema = z.object({ name: z.string(), message: z.string(), stack: z.optional(z.string()) });
const textMimes = [
  errorMime,
  'application/vnd.code.notebook.stdout',
  'application/vnd.code.notebook.stderr',
  'text/plain',
  'text/markdown',
  'application/json',
];

/**
 * The outputs of a cell as text: for each output, the error, the printed text, or the first of its forms as plain text,
 * Markdown, and JSON. Outputs without any of these, such as images, are left out. Undefined if no text remains.
 */
export function outputsText(outputs: readonly { readonly items: readonly OutputItem[] }[]): string | undefined {
  const texts = outputs.map(({ items }) => {
    const mime = textMimes.find((candidate) => items.some((item) => item.mime === candidate));
    return items.flatMap((item) => (item.mime === mime ? [itemText(item)] : [])).join('');
  });
  const text = texts
    .filter((part) => part.trim() !== '')
    .map((part) => part.trimEnd())
    .join('\n');
  if (text === '') return undefined;
  return text.length > maxLength ? `${startOfText(text, maxLength)}\n…` : text;
}

function itemText({ mime, data }: OutputItem): string {
  const text = new TextDecoder().decode(data);
  const error = mime === errorMime ? errorSchema.safeParse(parseJson(text)) : undefined;
  if (!error?.success) return shownOutput(text);
  const { name, message, stack = '' } = error.data;
  return shownOutput(stack === '' ? `${name}: ${message}` : stack);
}

/** Output as a notebook shows it, where a progress display overwrites its line. */
function shownOutput(text: string): string {
  return hasTerminalCodes(text) ? plainTerminalText(text) : text;
}
