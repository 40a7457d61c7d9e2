import * as vscode from 'vscode';
import { openExternalAddress } from '../../host/externalOpener.ts';
import { reasonOf } from '../../shared/log.ts';
import type { PageMessageHandlers } from '../../shared/protocol/pageMessages.ts';
import type { PageAction } from '../../shared/protocol/vocabulary.ts';
import type { ConversationPage } from '../../views/conversation/conversationPage.ts';
import type { PageServices } from '../context.ts';
import { argumentOf } from '../commandArguments.ts';
import { copyDetails, retry } from '../notices/support.ts';

/** Handlers for the messages that are not about a conversation: buttons, links, the clipboard, and the log. */
export function windowHandlers(services: PageServices) {
  return {
    act: ({ action }, page) => act(services, action, page),
    openLink: ({ href }) => openExternalAddress(href),
    async copy({ text }) {
      await vscode.env.clipboard.writeText(text);
    },
    failed({ reason }) {
      services.log.warn(`error on the page: ${reasonOf(reason)}`);
    },
  } satisfies Partial<PageMessageHandlers<ConversationPage>>;
}

async function act(services: PageServices, action: PageAction, page: ConversationPage) {
  const { commands } = services;
  switch (action) {
    case 'retry':
      await retry(services);
      return;
    case 'refresh':
      if (page.key) await services.sessions.refresh(page.key);
      return;
    case 'copyDetails':
      await copyDetails(services, page.key);
      return;
    case 'switchService':
      // Switch to the service of the page's session without asking for one.
      await commands.run('switchService', { service: page.key?.origin });
      return;
    case 'removeSession':
      if (page.key) await commands.run('removeSession', argumentOf(page.key));
      return;
    case 'changeModel':
      if (page.key) await commands.run('editSettings', { ...argumentOf(page.key), setting: 'model' });
      return;
    case 'connect':
    case 'setApiKey':
    case 'tryDemo':
    case 'addSession':
    case 'pickSession':
    case 'openConversationInEditor':
    case 'moveConversationToSideBar':
    case 'showLog':
      await commands.run(action, {});
  }
}
