import { insertAtCursor, openInNewFile } from '../host/codeToEditor.ts';
import { showError } from '../host/notify.ts';
import type { Translate } from '../state/words.ts';
import type { PageRequest } from '../views/conversationPage.ts';

/** What a page asks for about the content of a message. */
export type ContentRequest = Extract<PageRequest, { type: 'insertCode' | 'newFile' }>;

/** Whether a request is about the content of a message. */
export function isContentRequest(request: PageRequest): request is ContentRequest {
  return request.type === 'insertCode' || request.type === 'newFile';
}

/** Carries out what a page asks for about the content of a message. */
export async function handleContent(request: ContentRequest, t: Translate): Promise<void> {
  switch (request.type) {
    case 'insertCode':
      await insertCode(request.text, t);
      return;
    case 'newFile':
      await openInNewFile(request.text, request.language);
  }
}

async function insertCode(text: string, t: Translate): Promise<void> {
  const failure = await insertAtCursor(text);
  if (failure === 'noEditor') {
    await showError(
      t('There is no editor to insert the code into. Open a file and put the cursor where it should go.'),
    );
  }
  if (failure === 'refused') {
    await showError(t('The editor did not take the code, so nothing was inserted. The file may be read-only.'));
  }
}
