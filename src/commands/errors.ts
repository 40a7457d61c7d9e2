import * as vscode from 'vscode';
import { redactSecrets } from '../shared/log.ts';
import { showError, showInfo } from '../host/prompts/notify.ts';
import { NotAttachable } from '../host/editors/pickedContent.ts';
import { readSettings, type Settings } from '../host/settings.ts';
import type { Failure } from '../state/store/failure.ts';
import { describeFailure } from '../state/presentation/failure.ts';
import { type Translate, byteSize, isolatedLine } from '../shared/text.ts';
import { problemOf } from '../sync/connection/probe.ts';
import { NotSentError } from '../sync/outbox/outbox.ts';
import type { Services } from './context.ts';

/** A failure that carries its own sentence for people, made where what happened and what was kept is known. */
export class UserFacingError extends Error {
  override readonly name = 'ToldError';
}

/** Nothing went wrong: there is nothing to do what was asked for with, or something has to be done first. */
export class NothingToDoError extends UserFacingError {}

/** What may be attached at most, as far as sentences name it. */
export type AttachmentLimits = Pick<Settings, 'maxAttachmentMB' | 'maxMessageMB'>;

/** A failure in one sentence for people. */
export function errorMessageOf(error: unknown, limits: AttachmentLimits, t: Translate): string {
  if (error instanceof UserFacingError) return error.message;
  if (error instanceof NotAttachable) return notAttachableSentence(error, limits, t);
  if (error instanceof NotSentError) {
    const reason = error.problem ? `${describeFailure(error.problem, t)} ` : '';
    return `${reason}${t('The message was not sent; it is kept in the conversation.')}`;
  }
  return describeFailure(problemOf(error, Date.now()), t);
}

function notAttachableSentence(error: NotAttachable, limits: AttachmentLimits, t: Translate): string {
  // What a sentence begins with must not turn it round.
  const name = isolatedLine(error.fileName, 120);
  switch (error.reason) {
    case 'noEditor':
      return t('Open a file in an editor first.');
    case 'noSelection':
      return t('Select something in the editor first.');
    case 'empty':
      return t('"{0}" is empty, so there is nothing to attach.', name);
    case 'tooLarge':
      return tooLargeSentence(error, name, limits, t);
    case 'tooLargeTogether':
      return t(
        'The attachments are {0} together, more than the {1} MB of the setting "lineside.attachments.maxMessageSizeMB". Nothing was added.',
        byteSize(error.sizeBytes ?? 0),
        limits.maxMessageMB,
      );
    case 'unsaved':
      return t('"{0}" has unsaved changes that only its editor knows. Save it, then attach it.', name);
    case 'folder':
      return t('"{0}" is a folder. Attach it with "Attach Folder to Composer...".', name);
    case 'unreadable':
      return t('"{0}" cannot be read, so it was not attached.', name);
  }
}

/** A picture's bytes do not go to the page, where it could be made smaller: only the person can bring it there. */
function tooLargeSentence(
  { fileName, sizeBytes }: NotAttachable,
  name: string,
  limits: AttachmentLimits,
  t: Translate,
) {
  const refused = t(
    '"{0}" is {1}, more than the {2} MB of the setting "lineside.attachments.maxSizeMB". It was not attached.',
    name,
    byteSize(sizeBytes ?? 0),
    limits.maxAttachmentMB,
  );
  if (!/\.(?:png|jpe?g|webp)$/i.test(fileName)) return refused;
  return `${refused} ${t('Paste the picture, or drop it from outside VS Code, to attach it smaller.')}`;
}

/** What "Copy Details" puts on the clipboard: what a bug report needs, without any secret (R37). */
export function problemDetails(problem: Failure | undefined, sentence: string, secrets: readonly string[]): string {
  const { kind, status, code, redirectOrigin, at } = problem ?? {};
  const facts = {
    kind,
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
  return redactSecrets(lines.join('\n'), secrets);
}

/** Tells a failure to whoever started the command: one sentence, Retry, Copy Details. Where nothing failed, the sentence. */
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
  const problem = error instanceof NotSentError ? error.problem : problemOf(error, Date.now());
  const copy = () => vscode.env.clipboard.writeText(problemDetails(problem, sentence, keys.seen));
  await showError(sentence, { label: t('Retry'), run: retry }, { label: t('Copy Details'), run: copy });
}

function isNothingToDo(error: unknown): boolean {
  if (error instanceof NotAttachable) return ['noEditor', 'noSelection', 'empty'].includes(error.reason);
  return error instanceof NothingToDoError;
}
