import type { SeedColumns } from '../../shared/protocol/pageMessages.ts';

/** The seeds of a conversation from the JSON of their columns. Throws where that is none. */
export function unpackSeeds(json: string): SeedColumns {
  const columns: unknown = JSON.parse(json);
  if (!areColumns(columns)) throw new Error('the list of messages is not one');
  return columns;
}

function areColumns(columns: unknown): columns is SeedColumns {
  if (typeof columns !== 'object' || columns === null) return false;
  if (!('keys' in columns) || !('weights' in columns) || !('promptIndexes' in columns)) return false;
  return [columns.keys, columns.weights, columns.promptIndexes].every(Array.isArray);
}
