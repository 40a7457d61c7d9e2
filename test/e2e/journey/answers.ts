import { expect } from 'vitest';
import { type ConversationPage } from './sessionSteps.ts';
import type { RecordedService } from './recordedService.ts';
import { patiently } from './until.ts';

/** Waits until the agent of a session is idle and the page shows its complete answer. */
export async function answerShown(page: ConversationPage, service: RecordedService, sessionId: string): Promise<void> {
  await expect.poll(async () => (await service.newest(sessionId)).status, patiently).toBe('idle');
  const { text } = await service.newest(sessionId);
  const body = page.log.getByRole('article').last().locator('.row-body');
  const lastLine = squeezed(text.slice(text.lastIndexOf('\n') + 1));
  await expect.poll(async () => squeezed(await body.innerText()), patiently).toContain(lastLine);
  await page.status.filter({ hasText: 'Idle' }).waitFor();
}

/** Reduces text to letters and digits, so that Markdown source and rendered text can be compared. */
function squeezed(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '');
}
