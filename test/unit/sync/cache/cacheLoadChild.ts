/** A window in its own process that fills or opens the cache and prints its memory use in MB. */
import type { Message } from '../../../../src/api/resources/message.ts';
import { CacheWindow } from './cacheRig.ts';
import { key } from '../history/historyRig.ts';

const [folder = '', task = 'open', countText = '0', lengthText = '0'] = process.argv.slice(2);
const count = Number(countText);

/** Creates a message with unique text in two-byte characters. */
function message(place: number): Message {
  const text = `${place} – ${'й'.repeat(Number(lengthText))}`;
  return { id: `m${place}`, createdAt: place, updatedAt: place, role: 'user', content: [{ type: 'text', text }] };
}

function usedMB(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}

const window = await CacheWindow.open(folder);
const before = usedMB();
let most = 0;
if (task === 'fill') {
  window.messages.saveCursor(key, { order: 'oldestFirst', completeness: 'complete', roleStops: [], unnamedIds: [] });
  for (let from = 0; from < count; from += 100) {
    window.store.takeMessages(
      key,
      Array.from({ length: 100 }, (_, place) => message(from + place)),
    );
    // Waits for the disk, because a real response takes at least this long.
    await window.messages.flush();
    if (from % 1_000 === 0) most = Math.max(most, usedMB() - before);
  }
} else {
  const startedAt = performance.now();
  await window.restore();
  await window.store.readBodies(key, window.ids.slice(-40));
  process.stderr.write(`opened in ${Math.round(performance.now() - startedAt)} ms\n`);
  for (let from = 0; from < window.ids.length; from += 500) {
    const bodies = await window.store.readBodies(key, window.ids.slice(from, from + 100));
    if (bodies.length !== 100) throw new Error('bodies are missing');
    most = Math.max(most, usedMB() - before);
  }
  if (window.ids.length !== count) throw new Error(`only ${window.ids.length} messages`);
}
process.stdout.write(String(Math.round(most)));
