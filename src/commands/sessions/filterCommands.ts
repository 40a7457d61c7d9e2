import * as vscode from 'vscode';
import { colorSwatch } from '../../host/prompts/askChoice.ts';
import { Picker, type PickerRow } from '../../host/prompts/picker.ts';
import { sameValue } from '../../shared/equality.ts';
import { plainLine } from '../../shared/text.ts';
import { sectionLabel } from '../../state/presentation/describeTree.ts';
import { filteredRecords, searchWords } from '../../state/sessions/sessionSearch.ts';
import { defaultTreeOptions, type FilterState, filterStates, type TreeFilter } from '../../state/sessions/sections.ts';
import { knownTags, tagColor } from '../../state/sessions/sessionSettings.ts';
import { keyText } from '../../state/store/sessionKey.ts';
import type { Caller, CommandArguments, CommandHandlers } from '../commandArguments.ts';
import type { CommandContext } from '../context.ts';
import { hitsIn } from './findCommands.ts';

/** VS Code needs a tenth of a millisecond for each item, whether it is in view or not. */
const maxTags = 200;

/** A condition that can be part of a filter. */
type Condition =
  | { readonly kind: 'state'; readonly state: FilterState }
  | { readonly kind: 'tag'; readonly tag: string }
  | { readonly kind: 'text'; readonly text: string };
type ConditionRow = PickerRow<Condition> & { readonly value: Condition };

/** Commands that filter the tree. */
export function filterCommands(context: CommandContext) {
  const { treeOptions } = context;
  return {
    filterSessions: (argument, caller) => filterSessions(context, argument, caller),
    filterUnread: () => toggleOnly(context, 'unread'),
    filterNeedsYou: () => toggleOnly(context, 'needsYou'),
    clearFilter: () => treeOptions.change({ filter: defaultTreeOptions.filter }),
  } satisfies Partial<CommandHandlers>;
}

function toggleOnly({ treeOptions }: CommandContext, state: FilterState): void {
  const { filter } = treeOptions.options;
  const states = filter.states.includes(state) ? [] : [state];
  treeOptions.change({ filter: { ...filter, states } });
}

async function filterSessions(
  context: CommandContext,
  argument: CommandArguments['filterSessions'],
  caller: Caller,
): Promise<void> {
  const { store, treeOptions } = context;
  const { filter: before } = treeOptions.options;
  const filter =
    caller === 'script' ? filterOfScript(before, argument.text) : await new FilterPicker(context, before).ask();
  if (!filter) return;
  const text = filter.text.trim();
  treeOptions.change({ filter: { ...filter, text } });
  const words = searchWords(text);
  if (words.length === 0) return;
  // The next text starts its own search. Other changes of the filter keep this one.
  const search = new AbortController();
  const listener = treeOptions.onDidChange(() => {
    if (treeOptions.options.filter.text !== text) search.abort();
  });
  const found = new Set<string>();
  try {
    for await (const { record } of hitsIn(context, store.records, words, search.signal)) {
      found.add(keyText(record.listEntry.key));
      treeOptions.setTextMatches(new Set(found));
    }
  } finally {
    listener.dispose();
  }
}

/** The filter that a script sets: `before` with another text or, without a text, the filter that shows all sessions. */
function filterOfScript(before: TreeFilter, text = ''): TreeFilter {
  return text === '' ? defaultTreeOptions.filter : { ...before, text };
}

/**
 * Lets the user select the conditions of a filter: states, tags, and words. Those of the current filter are selected.
 * Enter adds the entered words, unless the user changed the selection: then the words were only used to search the
 * list.
 */
class FilterPicker {
  readonly #context: CommandContext;
  readonly #filter: TreeFilter;
  readonly #picker: Picker<Condition, TreeFilter>;
  readonly #rows: PickerRow<Condition>[];
  #typed: ConditionRow | undefined;

  constructor(context: CommandContext, filter: TreeFilter) {
    const { t } = context;
    this.#context = context;
    this.#filter = filter;
    this.#picker = new Picker({
      title: t('Filter Sessions'),
      placeholder: t('Select states and tags, or enter words to search for'),
      canSelectMany: true,
    });
    this.#rows = [
      ...(filter.text === '' ? [] : [this.#textRow(filter.text)]),
      ...this.#stateRows(),
      ...this.#tagRows(),
    ];
  }

  /** Resolves to the selected filter, or to undefined if the user cancels. */
  ask(): Promise<TreeFilter | undefined> {
    this.#picker.show(this.#rows);
    this.#picker.selected = this.#rows.filter(({ value }) => value && isPartOf(value, this.#filter));
    return this.#picker.ask({
      accept: () => this.#picker.finish(this.#selectedFilter),
      type: (text) => this.#offer(text.trim()),
    });
  }

  get #selectedFilter(): TreeFilter {
    const conditions = this.#picker.selected.flatMap(({ value }) => value ?? []);
    const filter = filterOf(conditions);
    const typed = this.#typed?.value;
    return typed && sameValue(filter, filterOf(conditionsOf(this.#filter, this.#rows)))
      ? filterOf([...conditions, typed])
      : filter;
  }

  /** Offers entered words as a condition. Words that were selected stay when the user enters others. */
  #offer(text: string): void {
    const { selected } = this.#picker;
    if (this.#typed && selected.includes(this.#typed)) this.#rows.unshift(this.#typed);
    this.#typed = text === '' ? undefined : this.#textRow(text);
    this.#picker.show([...(this.#typed ? [this.#typed] : []), ...this.#rows]);
    this.#picker.selected = selected;
  }

  #textRow(text: string): ConditionRow {
    const label = this.#context.t('Contains "{0}"', plainLine(text, 80));
    return { label, iconPath: new vscode.ThemeIcon('search'), alwaysShow: true, value: { kind: 'text', text } };
  }

  #stateRows(): PickerRow<Condition>[] {
    const { t } = this.#context;
    return [
      { label: t('States'), kind: vscode.QuickPickItemKind.Separator },
      ...filterStates.map((state) => this.#row(sectionLabel({ kind: state }, t), { kind: 'state', state })),
    ];
  }

  #tagRows(): PickerRow<Condition>[] {
    const { store, t } = this.#context;
    const current = this.#filter.tags.map((name) => ({ name }));
    const tags = knownTags([...store.records.map(({ session }) => session?.sessionSettings?.tags ?? []), current]);
    if (tags.length === 0) return [];
    const isCurrent = ({ name }: { readonly name: string }) => this.#filter.tags.includes(name);
    const shown = tags.filter((tag, index) => index < maxTags || isCurrent(tag));
    return [
      { label: t('Tags'), kind: vscode.QuickPickItemKind.Separator },
      ...shown.map((tag) => {
        const color = tagColor(tag);
        const iconPath = color === undefined ? new vscode.ThemeIcon('tag') : colorSwatch(color);
        return { ...this.#row(plainLine(tag.name, 80), { kind: 'tag', tag: tag.name }), iconPath };
      }),
    ];
  }

  /** A row with the number of sessions that meet the condition. */
  #row(label: string, value: Condition): ConditionRow {
    const { store, t } = this.#context;
    const count = filteredRecords(store.records, filterOf([value]), new Set()).length;
    return { label, description: t.formats.number(count), value };
  }
}

function isPartOf(condition: Condition, { text, states, tags }: TreeFilter): boolean {
  switch (condition.kind) {
    case 'state':
      return states.includes(condition.state);
    case 'tag':
      return tags.includes(condition.tag);
    case 'text':
      return condition.text === text;
  }
}

/** The conditions of a filter, in the order of the rows. */
function conditionsOf(filter: TreeFilter, rows: readonly PickerRow<Condition>[]): readonly Condition[] {
  return rows.flatMap(({ value }) => (value && isPartOf(value, filter) ? [value] : []));
}

/** The filter with these conditions. Of several texts, the last one counts. */
function filterOf(conditions: readonly Condition[]): TreeFilter {
  return {
    text: conditions.findLast((condition) => condition.kind === 'text')?.text ?? '',
    states: filterStates.filter((state) => conditions.some((each) => each.kind === 'state' && each.state === state)),
    tags: conditions.flatMap((condition) => (condition.kind === 'tag' ? [condition.tag] : [])).sort(),
  };
}
