import { ApiError } from '../../api/errors.ts';
import type { Log } from '../../shared/log.ts';
import { LearnedRules } from '../storage/learnedRules.ts';
import type { RecordStores } from '../storage/recordStores.ts';
import type { SendOutcome } from './outcomes.ts';
import type { StoredEntry } from './outboxFiles.ts';

/**
 * Whether images are sent as in the specification (spec 4.4), which has no field for their media type, or with
 * `mediaType` (spec 10.9).
 */
export type ImageForm = 'plain' | 'typed';

/** The form of images that each service accepted after it had rejected the other one. */
export type ImageForms = LearnedRules<ImageForm>;

export function imageForms(records: RecordStores, log: Log): ImageForms {
  return new LearnedRules<ImageForm>('imageForms', ['plain', 'typed'], records, log);
}

/** The form in which the images of an entry are sent first. Never rejects. */
export async function imageFormOf({ key, attachments }: StoredEntry, forms: ImageForms): Promise<ImageForm> {
  return hasImages(attachments) ? ((await forms.read(key.origin)) ?? 'plain') : 'plain';
}

export function otherForm(form: ImageForm): ImageForm {
  return form === 'plain' ? 'typed' : 'plain';
}

const mediaTypeWords = /\b(?:media|mime|image)[\s_-]?types?\b/i;

/**
 * Whether a message has images, and a service rejected it with 400 or 422 and named their media type. The service then
 * certainly didn't accept the message, so trying the other form can't send the message twice (R31).
 */
export function isImageFormRejected(outcome: SendOutcome, { attachments }: StoredEntry): boolean {
  if (outcome.kind !== 'notSent' || !(outcome.error instanceof ApiError)) return false;
  const { status, detail = '' } = outcome.error;
  if (status !== 400 && status !== 422) return false;
  return hasImages(attachments) && mediaTypeWords.test(detail);
}

function hasImages(attachments: StoredEntry['attachments']): boolean {
  return attachments.some(({ kind }) => kind === 'image');
}
