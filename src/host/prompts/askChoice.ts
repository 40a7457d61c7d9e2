import * as vscode from 'vscode';
import { sameMembers } from '../../shared/equality.ts';
import { plainLabel } from './editorText.ts';
import { Picker, type PickerRow } from './picker.ts';

/** One row of a choice. A row without a value is a heading. */
export interface Choice<T> {
  readonly label: string;
  readonly description?: string | undefined;
  readonly detail?: string | undefined;
  /** A codicon name, or the URI of an image. */
  readonly icon?: string | vscode.Uri | undefined;
  readonly value?: T | undefined;
}

interface ChoiceQuestion<T> {
  readonly title: string;
  readonly placeholder: string;
  readonly choices: readonly Choice<T>[];
  readonly canGoBack?: boolean;
  readonly step?: number;
  readonly totalSteps?: number;
  /** The current value. Its row is initially active. */
  readonly current?: T | undefined;
  /** Creates a row from the entered text if no row has this text as its label, for values that can't be listed. */
  readonly typed?: (text: string) => Choice<T> | undefined;
}

export type ChoiceAnswer<T> =
  | { readonly kind: 'chosen'; readonly value: T }
  | { readonly kind: 'back' }
  | { readonly kind: 'cancelled' };

/** Asks for one of several values, optionally as one of several steps. */
export async function askChoice<T>(question: ChoiceQuestion<T>): Promise<ChoiceAnswer<T>> {
  const picker = openPicker<T, T>(question);
  const rows = question.choices.map(rowOf);
  picker.show(
    rows,
    rows.find(({ value }) => value !== undefined && value === question.current),
  );
  const answer = await picker.ask({
    accept: (value) => {
      if (value !== undefined) picker.finish({ kind: 'chosen', value });
    },
    button: () => picker.finish({ kind: 'back' }),
    type: (text) => picker.show([...rows, ...typedRow(question, rows, text)]),
  });
  return answer ?? { kind: 'cancelled' };
}

/**
 * Asks for any number of values. Those in `picked` are initially selected. The user can also add typed values. Enter
 * adds the typed value, unless the user has changed the selection after typing, or the text finds a row: in these
 * cases, the text was only used to search the rows.
 */
export async function askChoices<T>(
  question: ChoiceQuestion<T> & { readonly picked: readonly T[] },
): Promise<ChoiceAnswer<readonly T[]>> {
  const picker = openPicker<T, readonly T[]>(question, { canSelectMany: true });
  const rows = question.choices.map(rowOf);
  const isPicked = ({ value }: PickerRow<T>) => value !== undefined && question.picked.includes(value);
  picker.show(rows);
  picker.selected = rows.filter(isPicked);
  let offered: readonly PickerRow<T>[] = [];
  /** The row that Enter adds to the selection `selectedBefore`. */
  let entered: readonly PickerRow<T>[] = [];
  let selectedBefore = picker.selected;
  const answer = await picker.ask({
    accept: () => {
      const { selected } = picker;
      // In a picker of several values, Enter doesn't select the active row.
      const chosen = sameMembers(selected, selectedBefore) ? [...selected, ...entered] : selected;
      const value = chosen.flatMap((row) => (row.value === undefined ? [] : [row.value]));
      picker.finish({ kind: 'chosen', value });
    },
    button: () => picker.finish({ kind: 'back' }),
    type: (text) => {
      const picked = picker.selected;
      // A selected row that was created from entered text stays when the user enters other text.
      for (const row of offered) if (picked.includes(row)) rows.push(row);
      offered = typedRow(question, rows, text);
      entered = rows.some((row) => isFoundBy(text, row)) ? [] : offered;
      selectedBefore = picked;
      picker.show([...rows, ...offered]);
      picker.selected = picked;
    },
  });
  return answer ?? { kind: 'cancelled' };
}

/** A picker that stays open when it loses the focus. */
function openPicker<T, Answer>(
  { title, placeholder, step, totalSteps, canGoBack }: ChoiceQuestion<T>,
  { canSelectMany = false } = {},
): Picker<T, ChoiceAnswer<Answer>> {
  return new Picker({
    title,
    placeholder,
    step,
    totalSteps,
    canSelectMany,
    ignoreFocusOut: true,
    matchOnDescription: true,
    buttons: canGoBack === true ? [vscode.QuickInputButtons.Back] : [],
  });
}

function typedRow<T>(
  question: ChoiceQuestion<T>,
  rows: readonly PickerRow<T>[],
  typed: string,
): readonly PickerRow<T>[] {
  const text = typed.trim();
  if (text === '' || rows.some(({ label }) => label === plainLabel(text))) return [];
  const choice = question.typed?.(text);
  return choice ? [{ ...rowOf(choice), alwaysShow: true }] : [];
}

/** Whether a row contains this text, so that the text is a search rather than a new value. */
function isFoundBy<T>(text: string, { label, description = '' }: PickerRow<T>): boolean {
  return [label, description].some((part) => part.toLowerCase().includes(text.trim().toLowerCase()));
}

function rowOf<T>({ label, description, detail, icon, value }: Choice<T>): PickerRow<T> {
  if (value === undefined) return { label, kind: vscode.QuickPickItemKind.Separator };
  return {
    label,
    ...(description === undefined ? {} : { description }),
    ...(detail === undefined ? {} : { detail }),
    ...(icon === undefined ? {} : { iconPath: typeof icon === 'string' ? new vscode.ThemeIcon(icon) : icon }),
    value,
  };
}

/** A colored dot as the icon of a row; `color` is `#rgb` or `#rrggbb`. */
export function colorSwatch(color: string): vscode.Uri {
  const dot = `<circle cx="8" cy="8" r="5" fill="${color}" stroke="#808080" stroke-width="1"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">${dot}</svg>`;
  return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`, true);
}
