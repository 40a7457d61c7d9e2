import type { Translate } from '../../shared/text.ts';
import { shownQuestion } from '../store/waiting.ts';
import type { Waiting } from '../store/sessionRecord.ts';

/**
 * Explains in up to two lines, for a tooltip, why the agent may be waiting: the rule, and the question if it is known.
 */
export function explainWaiting({ rule, question }: Waiting, t: Translate): string {
  const line = shownQuestion(question);
  return [reasonOf(rule, t), line].filter((part) => part !== '').join('\n');
}

function reasonOf(rule: Waiting['rule'], t: Translate): string {
  switch (rule) {
    case 'question':
      return t('May be waiting for you: a question has no answer yet.');
    case 'approval':
      return t('May be waiting for you: a plan asks for your approval.');
    case 'answer':
      return t('May be waiting for you: the answer ends in a question.');
  }
}
