import * as z from 'zod/mini';

/**
 * Columns of an index: there may be 100,000 values in one, so each is checked as a whole; value by value, checking cost
 * more than reading.
 */
export const numberColumn = columnOf((value) => typeof value === 'number');
export const textColumn = columnOf((value) => typeof value === 'string');
export const optionalTextColumn = columnOf((value) => value === null || typeof value === 'string');

function columnOf<T>(isValue: (value: unknown) => value is T) {
  return z.custom<readonly T[]>((column) => Array.isArray(column) && column.every(isValue));
}
