import { insertAtCursor, openInNewFile } from '../../host/editors/insertCode.ts';
import { openFilePlace } from '../../host/files/workspacePaths.ts';
import { showError, showInfo } from '../../host/prompts/notify.ts';
import { readSettings } from '../../host/settings.ts';
import type { PageMessageHandlers, PageStepContent } from '../../shared/protocol/pageMessages.ts';
import type { PageFact, PagePlanItem } from '../../shared/protocol/rowTypes.ts';
import { defined } from '../../shared/defined.ts';
import { reasonOf } from '../../shared/log.ts';
import { inSlices } from '../../shared/slices.ts';
import { plainLine, type Translate } from '../../shared/text.ts';
import { findStep } from '../../state/conversation/turnSteps.ts';
import { messageDetails } from '../../state/presentation/describeDetails.ts';
import { describeItems, describePlanItems } from '../../state/presentation/describePlan.ts';
import { describeStepContent } from '../../state/presentation/stepContent.ts';
import { sentFacts } from '../../state/store/outboxEntry.ts';
import { currentPlan } from '../../state/work/plan.ts';
import { type SessionKey, namedSession } from '../../state/store/sessionKey.ts';
import type { ConversationPage } from '../../views/conversation/conversationPage.ts';
import { argumentOf } from '../commandArguments.ts';
import type { PageServices } from '../context.ts';
import { type NotDrawn, previewDiagram } from '../../views/documents/diagramDocuments.ts';
import { errorMessageOf } from '../commandErrors.ts';
import { messageIdOf } from '../sessions/messageLinks.ts';
import { chooseFile } from '../work/linkedFileCommands.ts';

/** Handlers for the messages about the content of a message: code, images, files, paths, and details. */
export function contentHandlers(services: PageServices) {
  const { messageFiles: files, inertDocuments, t } = services;
  return {
    async insertCode({ text }) {
      const failure = await insertAtCursor(text);
      if (failure === 'noEditor')
        await showError(t('Open a file and place the cursor where you want to insert the code.'));
      if (failure === 'refused') await showError(t("Couldn't insert the code. The file might be read-only."));
    },
    async newFile({ text, language }) {
      await openInNewFile(text, language, inertDocuments);
    },
    async previewDiagram({ text }) {
      const reason = await previewDiagram(text);
      if (!reason) return;
      await openInNewFile(text, 'mermaid', inertDocuments);
      await showInfo(describeNotDrawn(reason, t));
    },
    async compareCode({ text }) {
      await showingErrors(services, () => services.comparisons.editorWithCode(text));
    },
    async openPicture(message) {
      const { messageId, path } = message;
      await showingErrors(services, () => files.show(namedSession(message), { messageId, path }));
    },
    async saveFile(message) {
      const { messageId, path } = message;
      await showingErrors(services, () => files.save(namedSession(message), { messageId, path }));
    },
    getDetails: async (question) => rowDetails(services, await restored(services, question), question.key),
    getStep: async (question) =>
      stepContent(services, await restored(services, question), question.messageId, question.index),
    getPlan: async (question) => planItems(services, await restored(services, question)),
    async showTurn(message) {
      const key = namedSession(message);
      const messageId = messageIdOf(services.store, key, message.key);
      const command = message.part === 'changes' ? 'showChanges' : 'showErrors';
      await services.commands.run(command, { ...argumentOf(key), messageId });
    },
    async findPaths(question) {
      const key = await restored(services, question);
      const found = await Promise.all(
        question.paths.map(async (path) => {
          const file = await services.agentFiles.look(key, path);
          return file ? [{ path, ...defined({ hint: file.hint }) }] : [];
        }),
      );
      return found.flat();
    },
    async openPath(message) {
      const { path, toSide } = message;
      const places = await services.agentFiles.find(await restored(services, message), path);
      if (places.length === 0) await showError(t("{0} wasn't found in this workspace.", plainLine(path)));
      const place = await chooseFile(places, path, t);
      if (place) await openFilePlace(place, toSide === true);
    },
  } satisfies Partial<PageMessageHandlers<ConversationPage>>;
}

/**
 * Resolves to the session that a page message is about, as soon as the session's cached messages are in the store. A
 * page can show the newest of them before that.
 */
async function restored({ sessions }: PageServices, message: SessionKey): Promise<SessionKey> {
  const key = namedSession(message);
  await sessions.restoreFromCache(key);
  return key;
}

function describeNotDrawn(reason: NotDrawn, t: Translate): string {
  return reason === 'noRenderer'
    ? t(
        "The Markdown preview can't show Mermaid diagrams, so the source was opened. You can install an extension that adds them.",
      )
    : t('The diagram might load content or contain links, so its source was opened instead of a preview.');
}

/** Runs an action on an image, a file, or code. Shows an error as a notification, not below the unrelated composer. */
async function showingErrors({ log, t }: PageServices, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    log.error(`a part of a message could not be opened or saved: ${reasonOf(error)}`);
    await showError(errorMessageOf(error, readSettings(), t));
  }
}

/** The details of a row's message. The key of the row can be the ID of an outbox entry instead of a message ID. */
async function rowDetails(
  { store, sentFiles, t }: PageServices,
  key: SessionKey,
  rowKey: string,
): Promise<readonly PageFact[]> {
  const messageId = messageIdOf(store, key, rowKey);
  const [message] = await store.readBodies(key, [messageId]);
  const facts = message
    ? messageDetails(message, store.header(key, messageId), t)
    : [{ label: t('Local ID (not on the service yet)'), value: rowKey, isId: true }];
  return [...facts, ...sentFacts(await sentFiles.read(key, messageId), t)];
}

/** The content of a step, from the messages of its call and result; undefined if the call isn't available. */
async function stepContent(
  { store, t }: PageServices,
  key: SessionKey,
  messageId: string,
  index: number,
): Promise<PageStepContent | undefined> {
  const place = findStep(store.record(key)?.headers ?? [], messageId, index)?.result;
  const bodies = await store.readBodies(key, [...new Set([messageId, place?.messageId ?? messageId])]);
  const message = bodies.find(({ id }) => id === messageId);
  const answer = place && bodies.find(({ id }) => id === place.messageId);
  return message && inSlices(describeStepContent(message, index, answer && { message: answer, index: place.index }, t));
}

/** The items of the plan; undefined if there is no plan, or if its message isn't available. */
async function planItems({ store, t }: PageServices, key: SessionKey): Promise<readonly PagePlanItem[] | undefined> {
  const plan = currentPlan(store.record(key)?.headers ?? []);
  if (plan?.items) return describeItems(plan.items, t);
  const [message] = plan ? await store.readBodies(key, [plan.messageId]) : [];
  return plan && message && describePlanItems(message, plan.index, t);
}
