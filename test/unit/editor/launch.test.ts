import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { repositoryFolder } from '../../../tools/editor/install/cache.ts';
import { startDemoService } from '../../../src/demoService/service.ts';
import { readCommandLine, type DemoService } from '../../../src/demoService/options.ts';

interface Task {
  readonly label: string;
  readonly script?: string;
  readonly args?: readonly string[];
  readonly dependsOn?: string;
}

async function read<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(join(repositoryFolder, path), 'utf8')) as T;
}

const { tasks } = await read<{ readonly tasks: readonly Task[] }>('.vscode/tasks.json');
const { configurations } = await read<{
  readonly configurations: readonly {
    readonly preLaunchTask?: string;
    readonly args: readonly string[];
    readonly program?: string;
    readonly env?: Readonly<Record<string, string>>;
  }[];
}>('.vscode/launch.json');
const { scripts } = await read<{ readonly scripts: Readonly<Record<string, string>> }>('package.json');
const task = (label: string | undefined) => tasks.find((one) => one.label === label);

describe('the launch configuration', () => {
  const started: DemoService[] = [];
  afterAll(() => Promise.all(started.map((service) => service.dispose())));

  it('starts a demo service after a build', async () => {
    const [{ preLaunchTask, env = {} } = {}] = configurations;
    const service = task(preLaunchTask);
    expect(Object.keys(scripts)).toContain(task(service?.dependsOn)?.script);
    const [program, ...args] = service?.args ?? [];
    expect(program).toBe('dist/demoService.js');
    const commandLine = readCommandLine(args);
    if (commandLine.kind !== 'start') throw new Error(`unexpected arguments: ${args.join(' ')}`);
    const demoService = await startDemoService({ ...commandLine.options, port: 0 });
    started.push(demoService);
    expect(env['LINESIDE_DEV_URL']).toBe(`http://127.0.0.1:${commandLine.options.port}`);
    expect(env['LINESIDE_DEV_KEY']).toBe(demoService.token);
    expect(JSON.parse(env['LINESIDE_DEV_SESSIONS'] ?? '')).toEqual(demoService.sessionIds);
  });

  it('names only files that exist', () => {
    const paths = configurations.flatMap(({ args, program = '' }) => [...args, program]);
    const own = paths.flatMap((path) => /\$\{workspaceFolder\}\/(.+)/.exec(path)?.[1] ?? []);
    expect(own.length).toBeGreaterThan(1);
    expect(own.filter((path) => !existsSync(join(repositoryFolder, path)))).toEqual([]);
  });
});
