import { confirm } from '../../host/prompts/notify.ts';
import { visibleText } from '../../shared/text/hiddenCharacters.ts';
import type { FilledCommand } from '../../state/templates/commandTemplate.ts';
import type { Services } from '../services.ts';

/**
 * Whether the user approved the template earlier, or approves it now. Saves a new approval. `shown` is exactly what is
 * opened or run.
 */
export async function isApproved(
  { templateApprovals, t }: Pick<Services, 'templateApprovals' | 't'>,
  setting: string,
  template: string,
  question: string,
  shown: string,
  button: string,
): Promise<boolean> {
  if (templateApprovals.isApproved(setting, template)) return true;
  const promise = t('You\'ll be asked again if the value of "{0}" changes.', setting);
  if (!(await confirm(question, `${shown}\n\n${promise}`, button))) return false;
  await templateApprovals.approve(setting, template);
  return true;
}

/**
 * A command as a JSON array. Escapes what a dialog might show in another form; hidden characters are codes such as
 * `<U+202E>`, which differ from the same text in the command because every `<` in the command is escaped.
 */
export function printedCommand({ program, args }: FilledCommand): string {
  const texts = [program, ...args].map((text) => JSON.stringify(text).replaceAll('`', '\\u0060'));
  return visibleText(`[${texts.join(', ').replaceAll('](', ']\\u0028').replaceAll('<', '\\u003c')}]`);
}
