import type { StoreChange } from '../../state/store/store.ts';
import type { PagePart } from './pageSections.ts';

/** The parts of a page that a change of its session touches. The page that typed a draft is not told its own words. */
export function changedParts(change: Extract<StoreChange, { key: unknown }>, page: unknown): readonly PagePart[] {
  switch (change.type) {
    case 'session':
      return ['header', 'older', 'composer'];
    case 'messages':
      return ['rows', 'older', 'header'];
    case 'outbox':
      return ['rows'];
    case 'draft':
      return change.source === page ? ['composer'] : ['composer', 'draft'];
  }
}
