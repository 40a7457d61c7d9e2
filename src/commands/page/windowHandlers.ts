import * as vscode from 'vscode';
import { openExternalAddress } from '../../host/externalOpener.ts';
import { reasonOf } from '../../shared/log.ts';
import type { PageMessageHandlers } from '../../shared/protocol/pageMessages.ts';
import type { PageAction } from '../../shared/protocol/vocabulary.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { ConversationPage } from '../../views/conversation/conversationPage.ts';
import type { PageServices } from '../context.ts';
import { argumentOf } from '../commandArguments.ts';
import { copyDetails, retry } from '../notices/supportCommands.ts';

/**
 * Handlers for the messages that a page can also send without a conversation: buttons, links, the clipboard, and the
 * log.
 */
export function windowHandlers(services: PageServices) {
  return {
    act: ({ action, origin, sessionId }) =>
      act(services, action, origin === undefined || sessionId === undefined ? undefined : { origin, sessionId }),
    openLink: ({ href }) => openExternalAddress(href),
    async copy({ text }) {
      await vscode.env.clipboard.writeText(text);
    },
    failed({ reason }) {
      services.log.warn(`error on the page: ${reasonOf(reason)}`);
    },
  } satisfies Partial<PageMessageHandlers<ConversationPage>>;
}

/** Runs the action of a button, for the session that the page showed or that its screen was about, if there was one. */
async function act(services: PageServices, action: PageAction, key: SessionKey | undefined) {
  const { commands } = services;
  switch (action) {
    case 'retry':
      await retry(services);
      return;
    case 'refresh':
      if (key) await services.sessions.refresh(key);
      return;
    case 'copyDetails':
      await copyDetails(services, key);
      return;
    case 'switchService':
      // Switch to the service of the page's session without asking for one.
      await commands.run('switchService', { service: key?.origin });
      return;
    case 'removeSession':
      if (key) await commands.run('removeSession', argumentOf(key));
      return;
    case 'changeModel':
      if (key) await commands.run('editSettings', { ...argumentOf(key), setting: 'model' });
      return;
    case 'setApiKey':
      await commands.run('setApiKey', { service: key?.origin });
      return;
    case 'connect':
    case 'tryDemo':
    case 'addSession':
    case 'pickSession':
    case 'showLog':
      await commands.run(action, {});
      return;
    case 'openConversationInEditor':
    case 'moveConversationToSideBar':
      await commands.run(action, key ? argumentOf(key) : {});
  }
}
