import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { chosenRow } from './chosenRow.ts';
import { plainLabel } from './editorText.ts';

/** A row of a quick pick. */
export interface PickerRow<T> extends vscode.QuickPickItem {
  /** The value that the row represents. A row without a value is a heading or separator. */
  readonly value?: T | undefined;
  /** Identifies the row if rows are shown again, so that it stays active. */
  readonly id?: string;
}

type PickerOptions = Partial<
  Pick<
    vscode.QuickPick<vscode.QuickPickItem>,
    | 'title'
    | 'placeholder'
    | 'step'
    | 'totalSteps'
    | 'buttons'
    | 'canSelectMany'
    | 'ignoreFocusOut'
    | 'keepScrollPosition'
    | 'matchOnDescription'
    | 'matchOnDetail'
  >
>;

/** What a picker does when the user acts. If a handler throws or rejects, {@link Picker.ask} rejects with its error. */
interface PickerHandlers<T> {
  /** Enter or a click. The value is that of the row that `chosenRow` returns; undefined if there is none. */
  readonly accept: (value: T | undefined) => void | Promise<void>;
  /** A button in the title. */
  readonly button?: () => void;
  readonly rowButton?: (value: T, button: vscode.QuickInputButton) => void | Promise<void>;
  readonly type?: (text: string) => void;
}

/**
 * A quick pick whose rows can change while it is open. It stays open until {@link finish} is called, the user closes
 * it, or a handler fails, and then disposes what was added to it. Texts of rows are plain, so icons need `iconPath`.
 */
export class Picker<T, Answer> {
  readonly #pick = vscode.window.createQuickPick<PickerRow<T>>();
  readonly #own = new Disposables();
  readonly #closing = new AbortController();
  readonly #answer: Promise<Answer | undefined>;
  #resolve: (answer: Answer | undefined) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor(options: PickerOptions) {
    Object.assign(this.#pick, options);
    this.#answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Aborted when the picker is closed. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  /** The text in the input box. */
  get text(): string {
    return this.#pick.value;
  }

  set text(text: string) {
    this.#pick.value = text;
  }

  get isBusy(): boolean {
    return this.#pick.busy;
  }

  /** Whether the picker shows that rows are still loading. */
  set isBusy(isBusy: boolean) {
    this.#pick.busy = isBusy;
  }

  set placeholder(placeholder: string) {
    this.#pick.placeholder = placeholder;
  }

  /** The selected rows, if several can be selected. */
  get selected(): readonly PickerRow<T>[] {
    return this.#pick.selectedItems;
  }

  set selected(rows: readonly PickerRow<T>[]) {
    this.#pick.selectedItems = rows;
  }

  /** Disposes `item` when the picker is closed. */
  add(item: Disposable): void {
    this.#own.add(item);
  }

  /** Replaces the rows. If `active` is undefined, the row with the ID of the active one stays active. */
  show(rows: readonly PickerRow<T>[], active = this.#sameRow(rows)): void {
    this.#pick.items = plainRows(rows);
    if (active) this.#pick.activeItems = [active];
  }

  /** Opens the picker. Resolves to the answer of {@link finish}, or to undefined if the user closes the picker. */
  ask({ accept, button, rowButton, type }: PickerHandlers<T>): Promise<Answer | undefined> {
    const pick = this.#pick;
    pick.onDidAccept(() => void this.#handle(() => accept(chosenRow(pick)?.value)));
    if (button) pick.onDidTriggerButton(() => void this.#handle(button));
    if (type) pick.onDidChangeValue((text) => void this.#handle(() => type(text)));
    if (rowButton) {
      pick.onDidTriggerItemButton(({ item: { value }, button: pressed }) => {
        if (value !== undefined) void this.#handle(() => rowButton(value, pressed));
      });
    }
    pick.onDidHide(() => this.finish(undefined));
    pick.show();
    return this.#answer;
  }

  /** Closes the picker with an answer. */
  finish(answer: Answer | undefined): void {
    this.#resolve(answer);
    this.#close();
  }

  async #handle(run: () => void | Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.#reject(error);
      this.#close();
    }
  }

  #close(): void {
    this.#closing.abort();
    this.#own.dispose();
    this.#pick.dispose();
  }

  #sameRow(rows: readonly PickerRow<T>[]): PickerRow<T> | undefined {
    const id = this.#pick.activeItems[0]?.id;
    return id === undefined ? undefined : rows.find((row) => row.id === id);
  }
}

type PickOptions = Omit<vscode.QuickPickOptions, 'canPickMany'>;

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

/** Makes the texts of rows plain, in place, because VS Code identifies rows by object identity. */
function plainRows<T extends vscode.QuickPickItem>(rows: readonly T[]): readonly T[] {
  for (const row of rows) {
    // VS Code draws headings as plain text.
    if (row.kind === vscode.QuickPickItemKind.Separator) continue;
    row.label = plainLabel(row.label);
    if (row.description !== undefined) row.description = plainLabel(row.description);
    if (row.detail !== undefined) row.detail = plainLabel(row.detail);
  }
  return rows;
}
