import * as vscode from 'vscode';
import { plainLabel } from './editorText.ts';

/** A message about the entered text. A warning doesn't prevent the user from continuing. */
export interface ValidationMessage {
  readonly message: string;
  readonly isWarning: boolean;
}

interface TextQuestion {
  readonly title: string;
  readonly prompt: string;
  readonly value?: string;
  readonly placeholder?: string;
  readonly isSecret?: boolean;
  readonly step?: number;
  readonly totalSteps?: number;
  readonly canGoBack?: boolean;
  /** The tooltip of a button with which the user changes something that the prompt names. The answer is then `back`. */
  readonly changeLabel?: string;
  /** The message that is shown when the input box opens, for example the reason why the last answer was rejected. */
  readonly remark?: ValidationMessage;
  readonly check?: (text: string) => ValidationMessage | undefined;
}

export type TextAnswer =
  | { readonly kind: 'text'; readonly text: string }
  /**
   * The user went back, or selected the button of {@link TextQuestion.changeLabel}; `text` is what was entered so far.
   */
  | { readonly kind: 'back'; readonly text: string }
  /**
   * The input box was closed; `text` is what was entered so far. VS Code doesn't say whether the user pressed Escape,
   * or opened another quick input, for example with Ctrl+P.
   */
  | { readonly kind: 'cancelled'; readonly text: string };

/** Asks for one line of text, optionally as one of several steps. The input box stays open when it loses the focus. */
export function askText(question: TextQuestion): Promise<TextAnswer> {
  const box = vscode.window.createInputBox();
  const { changeLabel } = question;
  const change =
    changeLabel === undefined ? undefined : { iconPath: new vscode.ThemeIcon('list-selection'), tooltip: changeLabel };
  Object.assign(box, {
    title: question.title,
    prompt: plainLabel(question.prompt),
    value: question.value ?? '',
    placeholder: question.placeholder,
    password: question.isSecret ?? false,
    step: question.step,
    totalSteps: question.totalSteps,
    ignoreFocusOut: true,
    buttons: [...(question.canGoBack === true ? [vscode.QuickInputButtons.Back] : []), ...(change ? [change] : [])],
    validationMessage: toValidation(question.remark),
  });
  return new Promise<TextAnswer>((resolve) => {
    const finish = (answer: TextAnswer) => {
      resolve(answer);
      box.dispose();
    };
    box.onDidChangeValue((text) => {
      box.validationMessage = toValidation(text === '' ? undefined : question.check?.(text));
    });
    box.onDidTriggerButton(() => finish({ kind: 'back', text: box.value }));
    box.onDidHide(() => finish({ kind: 'cancelled', text: box.value }));
    box.onDidAccept(() => {
      const remark = question.check?.(box.value);
      box.validationMessage = toValidation(remark);
      if (!remark || remark.isWarning) finish({ kind: 'text', text: box.value });
    });
    box.show();
  });
}

function toValidation(remark: ValidationMessage | undefined): vscode.InputBoxValidationMessage | undefined {
  if (!remark) return undefined;
  const { Error, Warning } = vscode.InputBoxValidationSeverity;
  return { message: plainLabel(remark.message), severity: remark.isWarning ? Warning : Error };
}
