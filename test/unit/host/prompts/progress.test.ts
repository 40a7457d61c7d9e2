import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CanceledWork, withCancel } from '../../../../src/host/prompts/progress.ts';
import { person } from '../../../fakes/recordedEditor.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const failure = new Error('failed');

/** Fails when it is canceled, or after a second. */
function work(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(failure));
    setTimeout(() => reject(failure), 1_000);
  });
}

beforeEach(() => vi.useFakeTimers());

afterEach(() => {
  vi.useRealTimers();
  person.clicks = undefined;
});

it.each([
  ['the failure of work that the user canceled is marked', 'Cancel', CanceledWork],
  ['other failures are passed on', undefined, Error],
])('%s', async (_, clicks, type) => {
  person.clicks = clicks;
  const caught = withCancel('Working...', work).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(1_000);
  const error = await caught;
  expect(error).toBeInstanceOf(type);
  expect(error instanceof CanceledWork ? error.cause : error).toBe(failure);
});
