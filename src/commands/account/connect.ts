import * as vscode from 'vscode';
import { defined } from '../../shared/defined.ts';
import { checkKey } from '../../api/apiKey.ts';
import { type ServiceUrl, completeServiceUrl, parseServiceUrl } from '../../api/serviceUrl.ts';
import { KeyNotStored } from '../../host/storage/apiKeyStore.ts';
import { type ValidationMessage, type TextAnswer, askText } from '../../host/prompts/askText.ts';
import { showInfo } from '../../host/prompts/notify.ts';
import { CanceledWork, withCancel } from '../../host/prompts/progress.ts';
import { readSettings } from '../../host/settings.ts';
import type { Service } from '../../state/store/connection.ts';
import {
  describeFailure,
  describeServiceUrlFailure,
  withoutCountedPause,
} from '../../state/presentation/describeFailure.ts';
import type { Translate } from '../../shared/text.ts';
import { isKeyRejected, probeService, toFailure } from '../../sync/connection/probe.ts';
import type { NamedService } from '../../sync/connection/namedServices.ts';
import type { CommandContext } from '../context.ts';
import { askService } from './askService.ts';
import { UserFacingError } from '../commandErrors.ts';
import { takingEntered } from '../enteredFailure.ts';
import { addSession } from '../sessions/sessionCommands.ts';
import { useService } from './useService.ts';

/** Asks for one of the user's services, or the base URL and key of another one, and connects to it. */
export async function connect(context: CommandContext): Promise<void> {
  if (context.connections.known.services.length === 0) await connectToOther(context, readSettings().baseUrl, false);
  else await chooseAndConnect(context, context.t('Connect to Service'));
}

/**
 * Lists the user's services, and connects to the selected one or to another one. `title` is the title of the prompt.
 */
export async function chooseAndConnect(context: CommandContext, title: string): Promise<void> {
  for (;;) {
    const answer = await askService(context, title);
    if (answer.kind !== 'chosen') return;
    const { value } = answer;
    if (value.kind === 'setting') {
      await vscode.commands.executeCommand('workbench.action.openSettings', 'lineside.services');
      return;
    }
    const isDone =
      value.kind === 'known' ? connectToKnown(context, value.service) : connectToOther(context, value.text, true);
    if ((await isDone) !== 'back') return;
  }
}

/**
 * Asks for a base URL and key. If the service accepts the key, saves both and switches to the service. If the user can
 * go back, a valid URL in `typed` is used without asking for one.
 */
async function connectToOther(context: CommandContext, typed: string, canGoBack: boolean): Promise<'back' | 'over'> {
  let text = typed;
  let isAsked = 'failure' in parseServiceUrl(typed) || !canGoBack;
  for (;;) {
    const url = isAsked ? await askBaseUrl(text, canGoBack, context.t) : parseServiceUrl(text);
    if (typeof url === 'string') return url;
    if ('failure' in url) return 'over';
    text = url.baseUrl;
    const outcome = await askKeyAndTry(context, url, { step: 2, totalSteps: 2 });
    isAsked = true;
    if (outcome === 'back') continue;
    if (outcome !== 'cancelled') await saveAndUse(context, url, outcome.key);
    return 'over';
  }
}

/** Switches to a service; asks for its key only if none is stored. */
async function connectToKnown(context: CommandContext, service: NamedService): Promise<'back' | 'over'> {
  if ((await context.keys.read(service.origin)) !== undefined) {
    await useService(context, service);
    return 'over';
  }
  const outcome = await askKeyAndTry(context, service, { step: 2, totalSteps: 2 });
  if (outcome === 'back') return 'back';
  if (outcome !== 'cancelled') await saveAndUse(context, service, outcome.key);
  return 'over';
}

function saveAndUse(context: CommandContext, url: ServiceUrl, key: string): Promise<void> {
  return takingEntered(async () => {
    await saveKey(context, url, key);
    await useService(context, url);
    await continueFrom(context, url);
  });
}

/**
 * Asks for a new key for a service, and saves it if the service accepts it. Then confirms the connection, or asks for a
 * session if no session of the service is in the list.
 * @throws as {@link takingEntered} does, for example if VS Code can't store the key.
 */
export async function replaceKey(context: CommandContext, service: ServiceUrl): Promise<void> {
  const outcome = await askKeyAndTry(context, service, undefined);
  if (outcome === 'back' || outcome === 'cancelled') return;
  await takingEntered(async () => {
    await saveKey(context, service, outcome.key);
    await context.connections.refresh(true);
    await continueFrom(context, service);
  });
}

async function askBaseUrl(value: string, canGoBack: boolean, t: Translate): Promise<ServiceUrl | 'back' | 'over'> {
  const check = (text: string): ValidationMessage | undefined => {
    const parsed = parseServiceUrl(completeServiceUrl(text));
    return 'failure' in parsed
      ? { message: describeServiceUrlFailure(parsed.failure, t), isWarning: false }
      : undefined;
  };
  const remark = value === '' ? undefined : check(value);
  const answer = await askText({
    title: t('Connect to Service'),
    prompt: t('Enter the base URL of your Sessions API. Only requests for its own sessions are sent to this host.'),
    placeholder: 'https://api.example.com',
    value,
    step: 1,
    totalSteps: 2,
    canGoBack,
    check,
    ...defined({ remark }),
  });
  if (answer.kind !== 'text') return answer.kind === 'back' ? 'back' : 'over';
  const parsed = parseServiceUrl(completeServiceUrl(answer.text));
  return 'failure' in parsed ? 'over' : parsed;
}

/**
 * Asks for a key until the service accepts one, or until the user goes back or cancels. If a key fails, shows the
 * reason below the input box.
 */
async function askKeyAndTry(
  context: CommandContext,
  url: ServiceUrl,
  steps: { readonly step: number; readonly totalSteps: number } | undefined,
): Promise<{ readonly key: string } | 'back' | 'cancelled'> {
  const { t } = context;
  let remark: ValidationMessage | undefined;
  let value = '';
  for (;;) {
    const answer = await askKey(url, steps, { remark, value }, t);
    if (answer.kind !== 'text') return answer.kind;
    const checked = checkKey(answer.text);
    if ('failure' in checked) continue;
    try {
      await probeKey(context, url, checked.key);
      return { key: checked.key };
    } catch (error) {
      if (error instanceof CanceledWork) return 'cancelled';
      // If the failure is unrelated to the key, keep the key in the input box.
      const isRejected = isKeyRejected(error);
      value = isRejected ? '' : answer.text;
      const sentences = [
        describeFailure(withoutCountedPause(toFailure(error, Date.now())), t),
        isRejected
          ? t('Nothing was saved. Enter the key again.')
          : t('Nothing was saved. Press Enter to try the same key again.'),
        ...(steps ? [t('To change the URL, go back.')] : []),
      ];
      remark = { message: sentences.join(' '), isWarning: false };
    }
  }
}

function askKey(
  url: ServiceUrl,
  steps: { readonly step: number; readonly totalSteps: number } | undefined,
  last: { readonly remark: ValidationMessage | undefined; readonly value: string },
  t: Translate,
): Promise<TextAnswer> {
  return askText({
    title: t('API Key for {0}', url.origin),
    prompt: t("Paste the API key or access token. It's stored securely by VS Code and is only sent to this host."),
    isSecret: true,
    value: last.value,
    canGoBack: steps !== undefined,
    check: (text) => validateKey(text, t),
    ...defined({ remark: last.remark }),
    ...steps,
  });
}

function validateKey(text: string, t: Translate): ValidationMessage | undefined {
  const checked = checkKey(text);
  if ('failure' in checked) {
    const message =
      checked.failure === 'empty' ? t('Enter the API key.') : t('This key contains invalid characters. Copy it again.');
    return { message, isWarning: false };
  }
  const { expiresAtMs } = checked;
  if (expiresAtMs === undefined || expiresAtMs > Date.now()) return undefined;
  const when = t.formats.dateTime(expiresAtMs);
  return { message: t('This token expired on {0}.', when), isWarning: true };
}

async function probeKey({ connections, store, t }: CommandContext, url: ServiceUrl, key: string): Promise<void> {
  const api = connections.openTrial(url, key);
  const [known] = store.recordsOf(url.origin);
  try {
    await withCancel(t('Connecting to {0}...', url.origin), (signal) =>
      probeService(api, known?.listEntry.key.sessionId, signal),
    );
  } finally {
    api.dispose();
  }
}

async function saveKey({ keys, t }: CommandContext, { origin }: Service, key: string): Promise<void> {
  try {
    await keys.store(origin, key);
  } catch (error) {
    if (!(error instanceof KeyNotStored)) throw error;
    throw new UserFacingError(
      t("VS Code couldn't store the API key ({0}). Check your system's keyring.", error.message),
    );
  }
}

/**
 * Confirms the connection. If no session of the service is in the list, continues with Add Session, which can be
 * canceled.
 */
async function continueFrom(context: CommandContext, { origin }: Service): Promise<void> {
  const connected = context.t('Connected to {0}.', origin);
  if (context.store.recordsOf(origin).length === 0) await addSession(context, { service: origin }, connected);
  else void showInfo(connected);
}
