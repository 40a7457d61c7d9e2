import { type Connection, serviceOf } from './connection.ts';
import type { SessionRecord } from './sessionRecord.ts';
import type { Translate } from './words.ts';

/** The line above the sessions, where there is something to say of all of them; empty otherwise. */
export function describeTree(connection: Connection, records: readonly SessionRecord[], t: Translate): string {
  if (records.length === 0) return '';
  switch (connection.kind) {
    case 'keyRefused':
      return t('The service refused the API key. What is shown is the last known.');
    case 'noKey':
      return t('There is no API key for this service. What is shown is the last known.');
    case 'ready':
      break;
    case 'starting':
    case 'noService':
      return '';
  }
  if (serviceOf(connection)?.isTemporary) {
    return t(
      'This is the demo: a service inside this window, with a scripted agent. It is gone when the window closes.',
    );
  }
  return '';
}
