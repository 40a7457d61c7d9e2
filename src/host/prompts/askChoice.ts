import * as vscode from 'vscode';
import { chosenRow } from './chosenRow.ts';

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
  pick.items = rows;
  const current = rows.find(({ value }) => value !== undefined && value === question.current);
  if (current) pick.activeItems = [current];
  return settled(pick, (finish) => {
    pick.onDidChangeValue((text) => {
      pick.items = [...rows, ...typedRow(question, rows, text)];
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
  pick.items = rows;
  pick.selectedItems = rows.filter(isPicked);
  return settled(pick, (finish) => {
    let offered: readonly Row<T>[] = [];
    pick.onDidChangeValue((text) => {
      const picked = pick.selectedItems;
      // A selected row that was created from entered text stays when the user enters other text.
      rows.push(...offered.filter((row) => picked.includes(row)));
      offered = typedRow(question, rows, text);
      pick.items = [...rows, ...offered];
      pick.selectedItems = picked;
    });
    pick.onDidAccept(() => {
      const value = pick.selectedItems.flatMap((row) => (row.value === undefined ? [] : [row.value]));
      finish({ kind: 'chosen', value });
    });
  });
}

function openPick<T>(question: ChoiceQuestion<T>): vscode.QuickPick<Row<T>> {
  const pick = vscode.window.createQuickPick<Row<T>>();
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
  pick: vscode.QuickPick<Row<T>>,
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
  if (text === '' || rows.some(({ label }) => label === plainPickLabel(text))) return [];
  const choice = question.typed?.(text);
  return choice ? [{ ...rowOf(choice), alwaysShow: true }] : [];
}

function rowOf<T>({ label, description, detail, icon, value }: Choice<T>): Row<T> {
  if (value === undefined) return { label, kind: vscode.QuickPickItemKind.Separator };
  return {
    label: plainPickLabel(label),
    ...(description === undefined ? {} : { description: plainPickLabel(description) }),
    ...(detail === undefined ? {} : { detail: plainPickLabel(detail) }),
    ...(icon === undefined ? {} : { iconPath: typeof icon === 'string' ? new vscode.ThemeIcon(icon) : icon }),
    value,
  };
}

/** Escapes `$(name)` in text from the service, because quick picks would render it as an icon. */
export function plainPickLabel(text: string): string {
  return text.replaceAll('$(', '\\$(');
}

/** A colored dot as the icon of a row; `color` is `#rgb` or `#rrggbb`. */
export function colorSwatch(color: string): vscode.Uri {
  const dot = `<circle cx="8" cy="8" r="5" fill="${color}" stroke="#808080" stroke-width="1"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">${dot}</svg>`;
  return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`, true);
}
