/** A window in its own process that reads a growing session into the cache until it is killed. */
import { CacheWindow } from './cacheRig.ts';
import { LocalService, never, key } from '../history/historyRig.ts';

const [folder = '', order = 'desc', count = '0'] = process.argv.slice(2);
const service = new LocalService(Number(count), { order: order === 'asc' ? 'asc' : 'desc' });
const window = await CacheWindow.open(folder);
await window.restore();
await window.readAll(service.api);
await window.messages.flush();
process.stdout.write(`ready ${window.ids.length}\n`);
for (let added = 0; ; added++) {
  // The service responds immediately, so yield to the event loop to let writes reach the disk.
  for (let breath = 0; breath < 1 + (added % 7); breath++) await new Promise((resolve) => setImmediate(resolve));
  service.add(1 + (added % 150));
  service.revise(service.ids.at(-1) ?? '', 'x'.repeat(added % 5_000));
  await window.refresh(service.api);
  await window.history.refreshNewest(service.api, key, never);
  process.stdout.write(`${window.ids.length}\n`);
}
