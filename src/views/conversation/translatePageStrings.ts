import { pageStrings, type PageStrings } from '../../shared/protocol/pageStrings.ts';
import type { Translate } from '../../shared/text.ts';
import { detailLevelLabel } from '../../state/presentation/describeFilter.ts';

/** The strings of the page, including the names of detail levels, which commands also show. */
export function translatePageStrings(t: Translate): PageStrings {
  return pageStrings(t, {
    answers: detailLevelLabel('answers', t),
    work: detailLevelLabel('work', t),
    everything: detailLevelLabel('everything', t),
  });
}
