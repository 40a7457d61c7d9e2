import { type Choice, type ChoiceAnswer, askChoice } from '../../host/prompts/askChoice.ts';
import { lensLabel } from '../../state/presentation/filter.ts';
import type { ExportFormat } from '../../state/markdown/exportFormat.ts';
import { type Reading, lenses, wholeReading } from '../../state/conversation/filter.ts';
import type { Translate } from '../../shared/text.ts';
import { ToldError } from '../errors.ts';
import type { CommandArgument } from '../register.ts';

/** What is exported, and how. */
export interface ExportChoices {
  readonly format: ExportFormat;
  /** Which messages: {@link wholeReading} for all of them. */
  readonly reading: Reading;
  readonly isRedacted: boolean;
}

type Question = 'format' | 'extent' | 'redaction';
type Place = Pick<Parameters<typeof askChoice>[0], 'step' | 'totalSteps' | 'canGoBack'>;

/**
 * Asks for what the argument leaves open: a script says what it wants, a person is asked, step by step with Back. `shown`
 * is how the conversation is read; `format` what the name of the file says. Undefined where it was cancelled.
 */
export async function askExport(
  argument: CommandArgument,
  format: ExportFormat | undefined,
  shown: Reading,
  t: Translate,
): Promise<ExportChoices | undefined> {
  const isWhole = shown.lens === 'everything' && shown.hiddenRoles.length === 0;
  const questions: Question[] = [
    ...(format === undefined ? (['format'] as const) : []),
    ...(argument.isScripted || argument.lens !== undefined || isWhole ? [] : (['extent'] as const)),
    ...(argument.isScripted ? [] : (['redaction'] as const)),
  ];
  let choices: ExportChoices = {
    format: format ?? 'markdown',
    reading: readingOf(argument, t),
    isRedacted: argument.redact === true,
  };
  for (let at = 0; at < questions.length;) {
    const place = { step: at + 1, totalSteps: questions.length, canGoBack: at > 0 };
    const answer = await ask(questions[at], choices, shown, place, t);
    if (answer.kind === 'cancelled') return undefined;
    if (answer.kind === 'chosen') choices = { ...choices, ...answer.value };
    at += answer.kind === 'back' ? -1 : 1;
  }
  return choices;
}

function readingOf({ lens: named }: CommandArgument, t: Translate): Reading {
  if (named === undefined) return wholeReading;
  const lens = lenses.find((known) => known === named);
  if (!lens) throw new ToldError(t('There is no lens "{0}".', named));
  return { lens, hiddenRoles: [] };
}

function ask(
  question: Question | undefined,
  { format }: ExportChoices,
  shown: Reading,
  place: Place,
  t: Translate,
): Promise<ChoiceAnswer<Partial<ExportChoices>>> {
  const title = t('Export Conversation');
  switch (question) {
    case 'extent':
      return askChoice({
        ...{ ...place, title },
        placeholder: t('Which messages?'),
        choices: extents(format, shown, t),
      });
    case 'redaction':
      return askChoice({
        ...{ ...place, title },
        placeholder: t('Leave likely secrets out?'),
        choices: redactions(t),
      });
    default:
      return askChoice({ ...{ ...place, title }, placeholder: t('Choose a format'), choices: formats(t) });
  }
}

function formats(t: Translate): Choice<Partial<ExportChoices>>[] {
  return [
    {
      label: 'Markdown',
      detail: t('To read: headings by message, code and tools in fences'),
      value: { format: 'markdown' },
    },
    { label: 'JSON', detail: t('To process: the session and its messages as one value'), value: { format: 'json' } },
    { label: 'JSONL', detail: t('To process: the session, then a message on each line'), value: { format: 'jsonl' } },
  ];
}

/** What is to be read begins with what one reads, what is to be processed with everything. */
function extents(format: ExportFormat, shown: Reading, t: Translate): Choice<Partial<ExportChoices>>[] {
  const asShown = {
    label: t('As Shown'),
    detail:
      shown.hiddenRoles.length === 0
        ? t('What the lens "{0}" shows of this conversation', lensLabel(shown.lens, t))
        : t('What the lens "{0}" shows of the roles you did not leave out', lensLabel(shown.lens, t)),
    value: { reading: shown },
  };
  const all = {
    label: t('All Messages'),
    detail: t('Also what the conversation leaves out'),
    value: { reading: wholeReading },
  };
  return format === 'markdown' ? [asShown, all] : [all, asShown];
}

function redactions(t: Translate): Choice<Partial<ExportChoices>>[] {
  return [
    {
      label: t('Leave Likely Secrets Out'),
      detail: t('Keys, tokens and passwords by their usual forms; look before you share'),
      value: { isRedacted: true },
    },
    { label: t('Export as It Is'), detail: t('Every word as the service has it'), value: { isRedacted: false } },
  ];
}
