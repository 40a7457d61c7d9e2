import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Emitter } from '../../../src/shared/lifecycle.ts';
import { until } from '../../fakes/until.ts';

/** A command whose output the test writes. */
class Execution {
  readonly commandLine: { readonly value: string };
  readonly #pieces: string[] = [];
  #next = 0;
  #isEnded = false;
  #wake: () => void = () => undefined;

  constructor(value: string) {
    this.commandLine = { value };
  }

  write(...pieces: readonly string[]): void {
    for (const piece of pieces) this.#pieces.push(piece);
    this.#wake();
  }

  /** Whether everything written so far has been read. */
  get isRead(): boolean {
    return this.#next === this.#pieces.length;
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  async *read(): AsyncGenerator<string> {
    for (;;) {
      while (this.#next < this.#pieces.length) yield this.#pieces[this.#next++] ?? '';
      if (this.#isEnded) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

interface Terminal {
  readonly name: string;
}

const settingsChanged = new Emitter<void>();
const started = new Emitter<{ terminal: Terminal; execution: Execution }>();
const ended = new Emitter<{ terminal: Terminal; execution: Execution; exitCode: number | undefined }>();
const closed = new Emitter<Terminal>();
const listening = { count: 0 };

/** Counts the listeners of an event. */
function counted<T>({ event }: Emitter<T>) {
  return (listener: (value: T) => void) => {
    listening.count++;
    const subscription = event(listener);
    return {
      dispose: () => {
        listening.count--;
        subscription.dispose();
      },
    };
  };
}

vi.mock('vscode', () => ({
  workspace: { onDidChangeConfiguration: settingsChanged.event },
  window: {
    onDidStartTerminalShellExecution: counted(started),
    onDidEndTerminalShellExecution: counted(ended),
    onDidCloseTerminal: counted(closed),
  },
  Disposable: {
    from: (...all: readonly { dispose(): void }[]) => ({ dispose: () => all.forEach((one) => one.dispose()) }),
  },
}));
const { TerminalOutputs } = await import('../../../src/host/editors/terminalOutputs.ts');

describe('the output of terminals', () => {
  let isEnabled: boolean;
  let outputs: InstanceType<typeof TerminalOutputs>;
  const bash = { name: 'bash' };
  const zsh = { name: 'zsh' };

  beforeEach(() => {
    isEnabled = true;
    outputs = new TerminalOutputs(() => isEnabled);
    return () => outputs.dispose();
  });

  const start = (terminal: Terminal, command: string) => {
    const execution = new Execution(command);
    started.fire({ terminal, execution });
    return execution;
  };
  const outputIs = (output: string) => until(() => outputs.commands()[0]?.output === output, output);

  it('is that of the last command of each terminal, the most recent first', async () => {
    start(bash, 'one').write('first');
    start(zsh, 'two').write('second');
    const third = start(bash, 'three');
    third.write('th', '\u001b[31mird\u001b[0m\r\n');
    await outputIs('third\n');
    const [last, other] = outputs.commands();
    expect(last).toEqual({
      terminalName: 'bash',
      commandLine: 'three',
      exitCode: undefined,
      isRunning: true,
      output: 'third\n',
      isCut: false,
    });
    expect(other).toMatchObject({ terminalName: 'zsh', commandLine: 'two', output: 'second' });
    third.end();
    ended.fire({ terminal: bash, execution: third, exitCode: 2 });
    expect(outputs.commands()[0]).toMatchObject({ isRunning: false, exitCode: 2 });
  });

  it('is not ended by the end of an earlier command', () => {
    const first = start(bash, 'one');
    start(bash, 'two');
    ended.fire({ terminal: bash, execution: first, exitCode: 1 });
    expect(outputs.commands()[0]).toMatchObject({ commandLine: 'two', isRunning: true, exitCode: undefined });
  });

  it('is limited to the last 500,000 characters', async () => {
    const long = start(bash, 'yes');
    for (let count = 0; count < 60; count++) long.write(`${count % 10}`.repeat(10_000));
    await until(() => outputs.commands()[0]?.output.endsWith('9'.repeat(10_000)) === true);
    const [command] = outputs.commands();
    expect(command?.isCut).toBe(true);
    expect(command?.output).toHaveLength(500_000);
    long.write('x'.repeat(2_000_000));
    await outputIs('x'.repeat(500_000));
  });

  it('is limited however small the pieces of 100 MB are', async () => {
    const long = start(bash, 'yes');
    for (let mb = 0; mb < 2; mb++) long.write(...Array.from({ length: 100_000 }, () => 'y\r\n'));
    for (let mb = 0; mb < 98; mb++) long.write(`${mb}`.repeat(500_000));
    long.write(...Array.from({ length: 100_000 }, (_, index) => `${index % 10}\r\n`));
    await until(() => long.isRead);
    const [command] = outputs.commands();
    expect(command?.isCut).toBe(true);
    expect(command?.output.length).toBeLessThanOrEqual(500_000);
    expect(command?.output).toMatch(/9\n$/);
  });

  it('starts with a whole line if its beginning is missing, which could be in a sequence', async () => {
    const long = start(bash, 'colors');
    const line = `\u001b[31m🚀${'x'.repeat(94)}\u001b[0m\r\n`;
    for (let count = 0; count < 50; count++) long.write(line.repeat(200).slice(count));
    const cut = () => outputs.commands().find(({ isCut, output }) => isCut && output.length > 400_000);
    await until(() => cut() !== undefined);
    for (const shown of (cut()?.output ?? '').split('\n').slice(0, 100)) expect(shown).toMatch(/^🚀?x+$|^$/);
  });

  it('is dropped with its terminal', () => {
    start(bash, 'one');
    expect(outputs.hasCommands).toBe(true);
    closed.fire(bash);
    expect(outputs.hasCommands).toBe(false);
    expect(outputs.commands()).toEqual([]);
  });

  it('is neither recorded nor kept while the setting is off', () => {
    start(bash, 'one');
    isEnabled = false;
    settingsChanged.fire();
    expect(outputs.isEnabled).toBe(false);
    expect(listening.count).toBe(0);
    start(bash, 'two');
    expect(outputs.hasCommands).toBe(false);
    isEnabled = true;
    settingsChanged.fire();
    settingsChanged.fire();
    expect(listening.count).toBe(3);
    start(bash, 'three');
    expect(outputs.commands()).toMatchObject([{ commandLine: 'three' }]);
  });

  it('is kept in each window on its own, and forgotten in all of them once the setting is off', () => {
    start(bash, 'one');
    const other = new TerminalOutputs(() => isEnabled);
    expect(other.hasCommands).toBe(false);
    start(zsh, 'two');
    expect([outputs, other].map((window) => window.commands().length)).toEqual([2, 1]);
    isEnabled = false;
    settingsChanged.fire();
    expect([outputs, other].map((window) => window.commands().length)).toEqual([0, 0]);
    other.dispose();
  });

  it('is no longer recorded after dispose', () => {
    outputs.dispose();
    expect(listening.count).toBe(0);
  });
});
