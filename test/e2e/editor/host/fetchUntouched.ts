import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import * as vscode from 'vscode';
import type { HostTests } from '../../../../tools/editor/drive/hostTests.ts';

/** R14: The extension never replaces globals that all extensions of a host share, even when it makes requests. */
export const tests: HostTests = {
  'a request leaves fetch and the global dispatchers unchanged': async () => {
    const before = sharedThings();
    const requests = await requestsDuring(async () => {
      await vscode.commands.executeCommand('lineside.tryDemo');
      await vscode.commands.executeCommand('lineside.testConnection');
    });
    assert.ok(requests > 0, 'no request was made, so nothing was proven');
    const after = sharedThings();
    for (const [name, thing] of Object.entries(before)) assert.ok(after[name] === thing, `${name} was replaced`);
  },
};

function sharedThings(): Record<string, unknown> {
  const dispatcher = (version: number): unknown =>
    Reflect.get(globalThis, Symbol.for(`undici.globalDispatcher.${version}`));
  return { fetch: globalThis.fetch, 'dispatcher 1': dispatcher(1), 'dispatcher 2': dispatcher(2) };
}

/** Counts requests on undici's diagnostics channel, which Node's undici and every bundled copy publish to. */
async function requestsDuring(act: () => Promise<void>): Promise<number> {
  let requests = 0;
  const onRequest = (): number => requests++;
  subscribe('undici:request:create', onRequest);
  try {
    await act();
  } finally {
    unsubscribe('undici:request:create', onRequest);
  }
  return requests;
}
