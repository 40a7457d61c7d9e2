import { expect } from 'vitest';
import { type ConversationPage } from './sessionSteps.ts';
import type { RecordedService } from './recordedService.ts';
import { patiently } from './until.ts';

/** Waits until the agent of a session is at rest, and the page shows its answer to the last word. */
export async function answerShown(page: ConversationPage, service: RecordedService, sessionId: string): Promise<void> {
  await expect.poll(async () => (await service.newest(sessionId)).status, patiently).toBe('idle');
  const { text } = await service.newest(sessionId);
  const body = page.log.getByRole('article').last().locator('.row-body');
  const lastLine = squeezed(text.slice(text.lastIndexOf('\n') + 1));
  await expect.poll(async () => squeezed(await body.innerText()), patiently).toContain(lastLine);
  await page.status.filter({ hasText: 'Idle' }).waitFor();
}

/** A text in letters only, as it reads whatever it is drawn as. */
function squeezed(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '');
}
