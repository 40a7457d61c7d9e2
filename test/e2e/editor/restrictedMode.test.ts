import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { click, press } from '../../../tools/editor/drive/act.ts';
import { patienceMs } from '../../../tools/editor/run/patience.ts';
import { repositoryFolder } from '../../../tools/editor/install/cache.ts';
import { type FaultServer, jsonService, startFaultServer } from '../../fakes/faultServer.ts';
import { useJourney } from '../journey/journey.ts';
import { useService, withContents } from '../journey/recordedService.ts';
import { until } from '../journey/until.ts';
import { addSessions, connect, conversationOf } from '../journey/sessionSteps.ts';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly configuration: readonly {
      readonly properties: Readonly<Record<string, { readonly default?: unknown; readonly type?: string }>>;
    }[];
  };
}
const { contributes } = JSON.parse(readFileSync(join(repositoryFolder, 'package.json'), 'utf8')) as Manifest;
const properties = contributes.configuration.flatMap((topic) => Object.entries(topic.properties));
/** The only setting whose value VS Code takes from this folder. It controls when times are shown. */
const harmless = ['lineside.conversation.times'];

/** These commands end what the others need, so they come last. */
const last = ['readFromComputer', 'archiveSession', 'removeSession', 'clearCache', 'removeApiKey', 'tryDemo'].map(
  (name) => `lineside.${name}`,
);
const commands = contributes.commands.map(({ command }) => command);
const ordered = [...commands.filter((command) => !last.includes(command)), ...last];

/** The number of commands that run in one request. It is small enough for the time limit of the probe. */
const atOnce = 20;

/** A value that differs from the default. Addresses lead to the trap server, and commands create a file. */
function hostileValue(name: string, type: string | undefined, address: string): unknown {
  if (name.includes('Url') || name.endsWith('.url')) return `${address}/\${sessionId}`;
  if (name === 'lineside.services') return { Trap: address };
  if (/Terminal\.command$|Source\.command$/.test(name)) return ['touch', '/tmp/lineside-was-here', '${sessionId}'];
  const values = { boolean: true, number: 99, array: [], object: { trap: address }, string: 'editor' } as const;
  return type !== undefined && type in values ? values[type as keyof typeof values] : address;
}

const answer = 'See [the basket](src/basket.ts:3) and [the keys](../../.ssh/id_rsa).';
const edit = { file_path: 'src/basket.ts', old_string: 'let count;', new_string: 'const count = 0;' };
/** The contents of a seeded conversation: the agent changed a file of the workspace. */
const contents: Readonly<Record<string, readonly unknown[]>> = {
  msg_tests_00002: [{ type: 'tool_use', id: 'edit', name: 'Edit', input: edit }],
  msg_tests_00003: [{ type: 'tool_result', toolUseId: 'edit', content: [{ type: 'text', text: 'Done' }] }],
  msg_tests_00004: [{ type: 'text', text: answer }],
};

describe('a folder in Restricted Mode', () => {
  const service = useService({}, withContents(contents));
  const trap: { server?: FaultServer } = {};
  beforeAll(async () => {
    trap.server = await startFaultServer({ service: jsonService({}) });
  });
  afterAll(() => trap.server?.dispose());
  const journey = useJourney({ workspaceTrust: true }, () => {
    const settings = properties.map(([name, { type }]) => [name, hostileValue(name, type, trap.server?.origin ?? '')]);
    const folder = join(journey.folder, '.vscode');
    mkdirSync(folder);
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(Object.fromEntries(settings)));
    return Promise.resolve();
  });

  it('has no effect with its settings (R13)', async () => {
    const { workbench } = journey;
    await workbench.page.locator('.part.statusbar').getByText('Restricted Mode').waitFor();
    const names = properties.map(([name]) => name);
    const values = (await workbench.execute('linesideProbe.settings', names)) as unknown[];
    const changed = properties.filter(([, { default: usual }], at) => {
      return JSON.stringify(values[at] ?? null) !== JSON.stringify(usual ?? null);
    });
    expect(changed.map(([name]) => name)).toEqual(harmless);
  });

  it('opens files that an answer links to, and compares none of them', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    await addSessions(workbench, service.sessionIdByName.tests);
    const { log } = conversationOf(workbench);
    await click(log.locator('a.path-link', { hasText: 'the basket' }).last());
    await workbench.page.locator('.part.editor .tab', { hasText: 'basket.ts' }).waitFor();
    await workbench.page.locator('.part.statusbar').getByText('Ln 3, Col 1').waitFor();
    await log.locator('.path-text', { hasText: 'the keys' }).last().waitFor();
    const compare = workbench.execute('lineside.compareAllWithWorkspace', {
      sessionId: service.sessionIdByName.tests,
    });
    await expect(compare).rejects.toThrow('Trust this workspace to compare its files.');
    await workbench.execute('workbench.action.closeAllEditors');
  });

  it('lets each command work, ask, or say why it does not', async () => {
    const { workbench } = journey;
    await addSessions(workbench, service.sessionIdByName.login);
    await conversationOf(workbench).article('The states of a session').waitFor();
    const unexplained: string[] = [];
    for (let at = 0; at < ordered.length; at += atOnce) {
      const names = ordered.slice(at, at + atOnce);
      const failures = await failuresOf(names);
      expect(failures).toHaveLength(names.length);
      const said = failures.map((failure, index) => `${names[index]}: ${failure}`);
      unexplained.push(...said.filter((line) => !/^\S+: (?:|[A-Z].*[.?])$/s.test(line)));
    }
    expect(unexplained).toEqual([]);
    expect(workbench.consoleLines.filter((line) => /\[Extension Host\].*(?:TypeError|RangeError)/.test(line))).toEqual(
      [],
    );
    expect(service.posts()).toEqual([]);
    expect(trap.server?.requests).toEqual([]);
    expect(trap.server?.connectionCount).toBe(0);
    expect(workbench.page.context().pages()).toHaveLength(1);
  });

  /**
   * Runs commands one after the other, and cancels what each of them asks, until nothing asks anymore. Resolves to the
   * error message of each command, which is empty if the command didn't fail.
   */
  async function failuresOf(names: readonly string[]): Promise<string[]> {
    const { workbench } = journey;
    const asks = workbench.quickInput.widget.or(workbench.dialog).first();
    const end = { isOver: false };
    const running = workbench.execute('linesideProbe.runEach', names).finally(() => (end.isOver = true));
    const cancel = async () => {
      if ((await asks.count()) > 0) await press(workbench.page, 'Escape');
    };
    const isQuiet = async () => end.isOver && (await asks.count()) === 0;
    // Both give up after the same time, and neither error names the command that was running.
    const both = Promise.all([running, until(isQuiet, cancel, patienceMs, 50)]);
    const [failures] = await both.catch(async (error: unknown) => {
      const name = (await workbench.execute('linesideProbe.running')) as string | null;
      throw new Error(name === null ? `One of ${names.join(', ')} still asks.` : `${name} did not end.`, {
        cause: error,
      });
    });
    return failures as string[];
  }
});
