import { completeServiceUrl } from '../../api/serviceUrl.ts';
import { type Choice, type ChoiceAnswer, askChoice } from '../../host/prompts/askChoice.ts';
import { serviceOf } from '../../state/store/connection.ts';
import { describeUnusableService } from '../../state/presentation/describeFailure.ts';
import { describeCounts } from '../../state/presentation/describeStatusBar.ts';
import { plainLine } from '../../shared/text.ts';
import type { NamedService, UnusableService } from '../../sync/connection/namedServices.ts';
import type { CommandContext } from '../context.ts';

/** The entry that was selected in a list of services. */
type ServiceChoice =
  | { readonly kind: 'known'; readonly service: NamedService }
  /** Another service; `text` is the base URL that was entered, or empty. */
  | { readonly kind: 'other'; readonly text: string }
  /** An invalid entry of `lineside.services`, to be corrected in the settings. */
  | { readonly kind: 'setting' };

/** Asks for one of the user's services, or the base URL of another one. */
export async function askService(context: CommandContext, title: string): Promise<ChoiceAnswer<ServiceChoice>> {
  const { t } = context;
  const { unusable } = context.connections.known;
  return askChoice<ServiceChoice>({
    title,
    placeholder: t('Select a service, or enter the base URL of another one'),
    choices: [
      ...(await knownChoices<ServiceChoice>(context, (service) => ({ kind: 'known', service }))),
      ...unusable.map((entry) => unusableChoice(entry, context)),
      { label: '' },
      { label: t('Add Service...'), icon: 'add', value: { kind: 'other', text: '' } },
    ],
    typed: (text) => {
      const url = completeServiceUrl(text);
      if (!/^https?:/i.test(url)) return undefined;
      return { label: t('Connect to {0}', url), icon: 'add', value: { kind: 'other', text: url } };
    },
  });
}

/** Asks for one of the user's services. Resolves to undefined if the user cancels. */
export async function askKnownService(context: CommandContext, title: string): Promise<NamedService | undefined> {
  const choices = await knownChoices(context, (service) => service);
  const answer = await askChoice({ title, placeholder: context.t('Select a service'), choices });
  return answer.kind === 'chosen' ? answer.value : undefined;
}

async function knownChoices<T>(
  { store, connections, keys, t }: CommandContext,
  valueOf: (service: NamedService) => T,
): Promise<Choice<T>[]> {
  const current = serviceOf(store.connection)?.origin;
  return Promise.all(
    connections.known.services.map(async (service) => {
      const isKeyless = (await keys.read(service.origin)) === undefined;
      return {
        label: plainLine(service.name, 80),
        description: isKeyless ? t('{0}, no API key', service.baseUrl) : service.baseUrl,
        detail: describeCounts(store.recordsOf(service.origin), t),
        icon: service.origin === current ? 'check' : 'server',
        value: valueOf(service),
      };
    }),
  );
}

function unusableChoice({ name, failure }: UnusableService, { t }: CommandContext): Choice<ServiceChoice> {
  return {
    label: plainLine(name, 80),
    description: t('Invalid (select to open the setting)'),
    detail: describeUnusableService(failure, t),
    icon: 'warning',
    value: { kind: 'setting' },
  };
}
