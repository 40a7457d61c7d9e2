import { expect, it, vi } from 'vitest';
import { window } from 'vscode';
import {
  errorMessageOf,
  MessageKeptError,
  notify,
  showCommandError,
  UserFacingError,
} from '../../../src/commands/commandErrors.ts';
import type { Services } from '../../../src/commands/services.ts';
import { NotAttachable } from '../../../src/host/editors/pickedContent.ts';
import { showInfo } from '../../../src/host/prompts/notify.ts';
import { NotSentError } from '../../../src/sync/outbox/outbox.ts';
import { person } from '../../fakes/recordedEditor.ts';
import { t } from '../state/samples.ts';

vi.mock('vscode', () => import('../../fakes/recordedEditor.ts'));

const limits = { maxAttachmentMB: 0.0001, maxMessageMB: 0.0002 };
const limit = '0.0001 MB ("lineside.attachments.maxSizeMB").';

/** The names of files are isolated, so that they can't change the direction of the sentence. */
it.each<readonly [NotAttachable, string]>([
  [new NotAttachable('empty', 'empty.txt'), '"\u2068empty.txt\u2069" is empty.'],
  [new NotAttachable('folder', 'src'), '"\u2068src\u2069" is a folder. To attach it, use "Attach Folder...".'],
  [new NotAttachable('unreadable', 'gone'), 'Couldn\'t read "\u2068gone\u2069".'],
  [new NotAttachable('noSelection', 'a.ts'), 'Select text in the editor first.'],
  [
    new NotAttachable('tooLarge', 'README.md', 512),
    `Couldn't attach "\u2068README.md\u2069". Its size (512 B) exceeds the limit of ${limit}`,
  ],
  [
    new NotAttachable('tooLarge', 'logo.PNG', 512),
    `Couldn't attach "\u2068logo.PNG\u2069". Its size (512 B) exceeds the limit of ${limit} To resize an image before attaching it, paste it instead.`,
  ],
  [
    new NotAttachable('tooLargeTogether', '', 700),
    'The attachments total 700 B, which exceeds the limit of 0.0002 MB ("lineside.attachments.maxMessageSizeMB"). Nothing was attached.',
  ],
])('explains why something cannot be attached: %s', (error, sentence) => {
  expect(errorMessageOf(error, limits, t)).toBe(sentence);
});

it.each([
  ['a failure', new UserFacingError('It failed.'), ['Retry', 'Copy Details']],
  ['a message that was not sent', new NotSentError(undefined), ['Copy Details']],
  ['a message that was added to the draft', new MessageKeptError('It was added.'), ['Copy Details']],
])('offers to try again only what is not kept: %s', async (_, error, buttons) => {
  const show = vi.spyOn(window, 'showErrorMessage').mockResolvedValue(undefined);
  await showCommandError(error, { t, keys: { seen: [] } } as unknown as Services, () => undefined);
  expect(show.mock.calls[0]?.slice(1).filter((part) => typeof part === 'string')).toEqual(buttons);
  show.mockRestore();
});

it('shows the failure of a button of a notification, with Retry', async () => {
  const logged: string[] = [];
  const services = {
    t,
    keys: { seen: [] },
    log: { error: (text: string) => logged.push(text) },
  } as unknown as Services;
  const show = vi.spyOn(window, 'showErrorMessage').mockResolvedValue(undefined);
  person.clicks = 'Undo';
  const run = vi.fn().mockRejectedValueOnce(new UserFacingError('The disk is full.'));
  await notify(showInfo, services, 'Archived.', { label: 'Undo', run });
  expect(show.mock.calls[0]).toMatchObject(['The disk is full.', 'Retry', 'Copy Details']);
  expect(logged).toEqual(['"Undo" failed: The disk is full.']);
  await notify(showInfo, services, 'Archived.', { label: 'Undo', run });
  expect([run.mock.calls.length, show.mock.calls.length]).toEqual([2, 1]);
  person.clicks = undefined;
  show.mockRestore();
});
