import * as vscode from 'vscode';
import { redactText } from '../shared/redaction/redaction.ts';
import { reasonOf } from '../shared/log.ts';
import { redactSecrets } from '../shared/secrets.ts';
import { type NotificationButton, showError, showInfo } from '../host/prompts/notify.ts';
import { CanceledWork } from '../host/prompts/progress.ts';
import { NotAttachable } from '../host/editors/pickedContent.ts';
import { readSettings, type Settings } from '../host/settings.ts';
import type { Failure } from '../state/store/failure.ts';
import { describeFailure, withoutCountedPause } from '../state/presentation/describeFailure.ts';
import { type Translate, isolatedLine } from '../shared/text.ts';
import { toFailure } from '../sync/connection/probe.ts';
import { NotSentError } from '../sync/outbox/outbox.ts';
import { failureOf } from './enteredFailure.ts';
import type { Services } from './services.ts';

/** A failure whose message is shown to the user unchanged. */
export class UserFacingError extends Error {
  override readonly name = 'UserFacingError';

  /** What is shown to the user: the message and, in some errors, text that must not be in the log. */
  get shownText(): string {
    return this.message;
  }
}

/**
 * The failure of a program that the user configured. What the program reported is shown, but not logged, because it can
 * be secret (R37).
 */
export class ProgramError extends UserFacingError {
  readonly #report: string;

  /** `report` is a sentence with the text of the program; empty if it wrote none. */
  constructor(message: string, report: string) {
    super(message);
    this.#report = report;
  }

  override get shownText(): string {
    return this.#report === '' ? this.message : `${this.message} ${this.#report}`;
  }
}

/**
 * Reports that a command has nothing to work on, or that a precondition isn't met. Shown as information, not as an
 * error.
 */
export class NothingToDoError extends UserFacingError {}

/** Reports that a message couldn't be queued. It was added to the session's draft, where the user can send it. */
export class MessageKeptError extends UserFacingError {}

/**
 * Reports that a comment with this text wasn't added. The command must fail for VS Code, too: otherwise, VS Code
 * empties the field in which the comment was written.
 */
export class CommentNotAdded extends UserFacingError {
  readonly text: string;

  constructor(message: string, text: string, options?: ErrorOptions) {
    super(message, options);
    this.text = text;
  }
}

/** The size limits that error messages mention. */
type AttachmentLimits = Pick<Settings, 'maxAttachmentMB' | 'maxMessageMB'>;

/** The message that the user sees for a failure. */
export function errorMessageOf(error: unknown, limits: AttachmentLimits, t: Translate): string {
  if (error instanceof UserFacingError) return error.shownText;
  if (error instanceof NotAttachable) return notAttachableSentence(error, limits, t);
  if (error instanceof NotSentError) {
    const reason = error.failure ? `${describeFailure(error.failure, t)} ` : '';
    return `${reason}${t("The message wasn't sent. It's saved in the conversation.")}`;
  }
  // A failed command isn't repeated automatically, so the message must not announce a retry.
  return describeFailure(withoutCountedPause(toFailure(error, Date.now())), t);
}

function notAttachableSentence(error: NotAttachable, limits: AttachmentLimits, t: Translate): string {
  // A file name at the start of a message must not change its writing direction.
  const name = isolatedLine(error.fileName, 120);
  switch (error.reason) {
    case 'noEditor':
      return t('Open a file in an editor first.');
    case 'noSelection':
      return t('Select text in the editor first.');
    case 'empty':
      return t('"{0}" is empty.', name);
    case 'tooLarge':
      return tooLargeSentence(error, name, limits, t);
    case 'tooLargeTogether':
      return t(
        'The attachments total {0}, which exceeds the limit of {1} MB ("lineside.attachments.maxMessageSizeMB"). Nothing was attached.',
        t.formats.size(error.sizeBytes ?? 0),
        limits.maxMessageMB,
      );
    case 'unsaved':
      return t('"{0}" has unsaved changes. Save it before you attach it.', name);
    case 'folder':
      return t('"{0}" is a folder. To attach it, use "Attach Folder...".', name);
    case 'unreadable':
      return t('Couldn\'t read "{0}".', name);
  }
}

/**
 * Only the page can resize an image, and only when it is pasted or dropped there, so the message suggests pasting the
 * image.
 */
function tooLargeSentence(
  { fileName, sizeBytes }: NotAttachable,
  name: string,
  limits: AttachmentLimits,
  t: Translate,
) {
  const message = t(
    'Couldn\'t attach "{0}". Its size ({1}) exceeds the limit of {2} MB ("lineside.attachments.maxSizeMB").',
    name,
    t.formats.size(sizeBytes ?? 0),
    limits.maxAttachmentMB,
  );
  if (!/\.(?:png|jpe?g|webp)$/i.test(fileName)) return message;
  return `${message} ${t('To resize an image before attaching it, paste it instead.')}`;
}

/** The text that "Copy Details" puts on the clipboard for a bug report, without keys and likely secrets. */
export function failureDetails(failure: Failure | undefined, sentence: string, secrets: readonly string[]): string {
  const { kind, reason, status, code, redirectOrigin, at } = failure ?? {};
  const facts = {
    kind,
    reason,
    status,
    code,
    redirectOrigin,
    failedAt: at === undefined ? undefined : new Date(at).toISOString(),
  };
  const lines = [
    sentence,
    ...Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`])),
    `time: ${new Date().toISOString()}`,
    `VS Code ${vscode.version}`,
  ];
  return redactText(redactSecrets(lines.join('\n'), secrets)).value;
}

/**
 * Shows an error with the buttons Retry and Copy Details, or only an information message if nothing failed. For a
 * message that is kept, there is no Retry, because the message would be sent twice. For a comment, Copy Comment
 * replaces Retry: the user may have changed the text since, and VS Code doesn't keep it in every case.
 */
export async function showCommandError(
  error: unknown,
  { keys, t }: Pick<Services, 'keys' | 't'>,
  retry: () => unknown,
): Promise<void> {
  const sentence = errorMessageOf(error, readSettings(), t);
  if (isNothingToDo(error)) {
    await showInfo(sentence);
    return;
  }
  const failure = error instanceof NotSentError ? error.failure : toFailure(error, Date.now());
  const copy = () => vscode.env.clipboard.writeText(failureDetails(failure, sentence, keys.seen));
  await showError(sentence, ...remedies(error, retry, t), { label: t('Copy Details'), run: copy });
}

/** The buttons with which the user can proceed after an error. */
function remedies(error: unknown, retry: () => unknown, t: Translate): readonly NotificationButton[] {
  if (error instanceof NotSentError || error instanceof MessageKeptError) return [];
  if (!(error instanceof CommentNotAdded)) return [{ label: t('Retry'), run: retry }];
  return [{ label: t('Copy Comment'), run: () => vscode.env.clipboard.writeText(error.text) }];
}

/**
 * Shows a notification. Resolves when it is dismissed or the action of its button has finished. If the action fails,
 * the error is logged, and shown like that of a command.
 */
export function notify(
  show: typeof showInfo,
  services: Pick<Services, 'keys' | 'log' | 't'>,
  message: string,
  ...buttons: readonly NotificationButton[]
): Promise<void> {
  const reporting = ({ label, run }: NotificationButton): NotificationButton => {
    const attempt = async (action: () => unknown): Promise<void> => {
      try {
        await action();
      } catch (error) {
        const { cause, retry } = failureOf(error, action);
        if (cause instanceof CanceledWork) return;
        services.log.error(`"${label}" failed: ${reasonOf(cause)}`);
        void showCommandError(cause, services, () => attempt(retry));
      }
    };
    return { label, run: () => attempt(run) };
  };
  return show(message, ...buttons.map(reporting));
}

function isNothingToDo(error: unknown): boolean {
  if (error instanceof NotAttachable) return ['noEditor', 'noSelection', 'empty'].includes(error.reason);
  return error instanceof NothingToDoError;
}
