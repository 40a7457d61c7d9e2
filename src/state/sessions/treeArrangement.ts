/** By what the sessions of the tree are put into sections. */
export type GroupBy = 'age' | 'status' | 'tag';
/** What comes first within a section; `attention` also puts what needs the user into a section of its own. */
export type SortBy = 'updated' | 'created' | 'name' | 'attention';

/** What is left out of the tree. */
export interface TreeFilter {
  /** Words that all have to be found in a session; empty: any. */
  readonly text: string;
  readonly isUnreadOnly: boolean;
}

/** How the user wants the Sessions tree. */
export interface TreeArrangement {
  readonly groupBy: GroupBy;
  readonly sortBy: SortBy;
  readonly filter: TreeFilter;
}

export const usualArrangement: TreeArrangement = {
  groupBy: 'age',
  sortBy: 'updated',
  filter: { text: '', isUnreadOnly: false },
};

/** Whether a filter leaves anything out. */
export function isFiltering({ text, isUnreadOnly }: TreeFilter): boolean {
  return text.trim() !== '' || isUnreadOnly;
}
