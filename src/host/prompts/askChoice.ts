import * as vscode from 'vscode';
import { chosenRow } from './chosenRow.ts';
import { plainLabel } from './editorText.ts';

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
  /** Creates a row from the entered text if no row has that label, for values that can't be listed. */
  readonly typed?: (text: string) => Choice<T> | undefined;
}

export type ChoiceAnswer<T> =
  | { readonly kind: 'chosen'; readonly value: T }
  | { readonly kind: 'back' }
  | { readonly kind: 'cancelled' };

type Row<T> = vscode.QuickPickItem & { readonly value?: T | undefined };

/** Asks for one of several values, optionally as one of several steps. */
export function askChoice<T>(question: ChoiceQuestion<T>): Promise<ChoiceAnswer<T>> {
  const pick = openPick(question);
  const rows = question.choices.map(rowOf);
  showRows(pick, rows);
  const current = rows.find(({ value }) => value !== undefined && value === question.current);
  if (current) pick.activeItems = [current];
  return settled(pick, (finish) => {
    pick.onDidChangeValue((text) => {
      showRows(pick, [...rows, ...typedRow(question, rows, text)]);
    });
    pick.onDidAccept(() => {
      const value = chosenRow(pick)?.value;
      if (value !== undefined) finish({ kind: 'chosen', value });
    });
  });
}

/** Asks for any number of values. Those in `picked` are initially selected. The user can also add typed values. */
export function askChoices<T>(
  question: ChoiceQuestion<T> & { readonly picked: readonly T[] },
): Promise<ChoiceAnswer<readonly T[]>> {
  const pick = openPick(question);
  pick.canSelectMany = true;
  const rows = question.choices.map(rowOf);
  const isPicked = ({ value }: Row<T>) => value !== undefined && question.picked.includes(value);
  showRows(pick, rows);
  pick.selectedItems = rows.filter(isPicked);
  return settled(pick, (finish) => {
    let offered: readonly Row<T>[] = [];
    pick.onDidChangeValue((text) => {
      const picked = pick.selectedItems;
      // A selected row that was created from entered text stays when the user enters other text.
      for (const row of offered) if (picked.includes(row)) rows.push(row);
      offered = typedRow(question, rows, text);
      showRows(pick, [...rows, ...offered]);
      pick.selectedItems = picked;
    });
    pick.onDidAccept(() => {
      const value = pick.selectedItems.flatMap((row) => (row.value === undefined ? [] : [row.value]));
      finish({ kind: 'chosen', value });
    });
  });
}

function openPick<T>(question: ChoiceQuestion<T>): Picker<Row<T>> {
  const pick = createPicker<Row<T>>();
  return Object.assign(pick, {
    title: question.title,
    placeholder: question.placeholder,
    step: question.step,
    totalSteps: question.totalSteps,
    ignoreFocusOut: true,
    matchOnDescription: true,
    buttons: question.canGoBack === true ? [vscode.QuickInputButtons.Back] : [],
  });
}

/** Shows a quick pick and resolves to the answer. */
function settled<T, Answer>(
  pick: Picker<Row<T>>,
  listen: (finish: (answer: ChoiceAnswer<Answer>) => void) => void,
): Promise<ChoiceAnswer<Answer>> {
  return new Promise((resolve) => {
    const finish = (answer: ChoiceAnswer<Answer>) => {
      resolve(answer);
      pick.dispose();
    };
    pick.onDidTriggerButton(() => finish({ kind: 'back' }));
    pick.onDidHide(() => finish({ kind: 'cancelled' }));
    listen(finish);
    pick.show();
  });
}

function typedRow<T>(question: ChoiceQuestion<T>, rows: readonly Row<T>[], typed: string): readonly Row<T>[] {
  const text = typed.trim();
  if (text === '' || rows.some(({ label }) => label === plainLabel(text))) return [];
  const choice = question.typed?.(text);
  return choice ? [{ ...rowOf(choice), alwaysShow: true }] : [];
}

function rowOf<T>({ label, description, detail, icon, value }: Choice<T>): Row<T> {
  if (value === undefined) return { label, kind: vscode.QuickPickItemKind.Separator };
  return {
    label,
    ...(description === undefined ? {} : { description }),
    ...(detail === undefined ? {} : { detail }),
    ...(icon === undefined ? {} : { iconPath: typeof icon === 'string' ? new vscode.ThemeIcon(icon) : icon }),
    value,
  };
}

/** A quick pick whose rows are set with {@link showRows}. */
export type Picker<T extends vscode.QuickPickItem> = Omit<vscode.QuickPick<T>, 'items'> & {
  readonly items: readonly T[];
};

type PickOptions = Omit<vscode.QuickPickOptions, 'canPickMany'>;

/** Creates a quick pick. The caller disposes it. */
export function createPicker<T extends vscode.QuickPickItem>(): Picker<T> {
  return vscode.window.createQuickPick<T>();
}

/** Shows rows in a quick pick. Their texts become plain, in place, because VS Code knows rows by their identity. */
export function showRows<T extends vscode.QuickPickItem>(pick: vscode.QuickPick<T>, rows: readonly T[]): void {
  pick.items = plainRows(rows);
}

/** Lets the user select one row; undefined if the user cancels. Texts of rows are plain, so icons need `iconPath`. */
export async function pickRow<T extends vscode.QuickPickItem>(
  rows: readonly T[],
  options: PickOptions = {},
): Promise<T | undefined> {
  return vscode.window.showQuickPick(plainRows(rows), options);
}

/** Lets the user select any number of rows; undefined if the user cancels. */
export async function pickRows<T extends vscode.QuickPickItem>(
  rows: readonly T[],
  options: PickOptions,
): Promise<readonly T[] | undefined> {
  return vscode.window.showQuickPick(plainRows(rows), { ...options, canPickMany: true });
}

function plainRows<T extends vscode.QuickPickItem>(rows: readonly T[]): readonly T[] {
  for (const row of rows) {
    // A heading is drawn as it is.
    if (row.kind === vscode.QuickPickItemKind.Separator) continue;
    row.label = plainLabel(row.label);
    if (row.description !== undefined) row.description = plainLabel(row.description);
    if (row.detail !== undefined) row.detail = plainLabel(row.detail);
  }
  return rows;
}

/** A colored dot as the icon of a row; `color` is `#rgb` or `#rrggbb`. */
export function colorSwatch(color: string): vscode.Uri {
  const dot = `<circle cx="8" cy="8" r="5" fill="${color}" stroke="#808080" stroke-width="1"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">${dot}</svg>`;
  return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`, true);
}
