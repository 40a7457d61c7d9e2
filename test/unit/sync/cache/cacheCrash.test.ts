import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CacheWindow, cacheFiles } from './cacheRig.ts';
import { key, LocalService, orders } from '../history/historyRig.ts';
import { temporaryFolder } from '../outbox/outboxRig.ts';

const child = join(import.meta.dirname, 'cacheChild.ts');
const killsPerOrder = 8;
/** The number of messages at the beginning. It is large enough for the index to repeat the newest ones. */
const firstCount = 530;

/** Runs a window until it has printed at least `lines` lines, then kills it. */
async function killedAfter(folder: string, order: string, count: number, lines: number): Promise<void> {
  const window = spawn(process.execPath, [child, folder, order, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => window.once('exit', resolve));
  let seen = 0;
  for await (const chunk of window.stdout) {
    seen += String(chunk).split('\n').length - 1;
    if (seen >= lines) break;
  }
  window.kill('SIGKILL');
  await ended;
}

describe.each(orders)('a window killed while it writes the cache, %s', (order) => {
  it(`leaves a gapless prefix of the history (${killsPerOrder} kills)`, async () => {
    let keptInAll = 0;
    let newestCount = 0;
    for (let kill = 0; kill < killsPerOrder; kill++) {
      const { path, remove } = await temporaryFolder();
      await killedAfter(path, order, firstCount, 1 + kill * 4);
      const window = await CacheWindow.open(path);
      const newest = await window.history.readNewest(key);
      await window.restore();
      const kept = window.ids;
      // The newest messages, which are shown first, are the last ones of all known messages.
      if (newest) expect(newest.headers).toEqual(window.record.headers.slice(-newest.headers.length));
      if (newest) newestCount += 1;
      // The first messages are named m0, m1, and so on. Later messages are numbered consecutively, so that a gap is
      // visible.
      const added = kept.slice(firstCount).map((id) => Number.parseInt(id.slice(-4), 36));
      expect(kept.slice(0, firstCount)).toEqual(kept.length === 0 ? [] : new LocalService(firstCount).ids);
      expect(added).toEqual(added.map((_, place) => place + 1));
      const bodies = await window.store.readBodies(window.record.listEntry.key, kept);
      expect(bodies.map(({ id }) => id)).toEqual(kept);
      keptInAll += kept.length;
      await window.close();
      expect([...(await cacheFiles(path)).keys()].filter((name) => name.endsWith('.tmp'))).toEqual([]);
      await remove();
    }
    expect(newestCount).toBeGreaterThan(0);
    expect(keptInAll).toBeGreaterThan(killsPerOrder * firstCount);
  });
});
