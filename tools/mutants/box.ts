/** Copies of the repository in which mutants are tried, each with a warm test process. */
import { cp, mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryFolder } from '../editor/install/cache.ts';
import { runProgram, startProgram } from '../editor/run/programs.ts';
import { markBlocks } from './blocks.ts';
import type { FileRecord } from './setup.ts';
import type { Job, Trial } from './trial.ts';

const copied = [
  'src',
  'test',
  'tools',
  'docs',
  'l10n',
  'media',
  'package.json',
  'package.nls.json',
  'tsconfig.json',
  'esbuild.js',
];
const trial = join('tools', 'mutants', 'trial.ts');

/** The result of a mutant. No test runs the block of an `unreached` one; a `timeout` counts as killed. */
export type Fate = 'killed' | 'timeout' | 'survived' | 'unreached';

/** A copy of the repository with links to its modules. Changes to it never reach the repository. */
export class MutantBox {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(name: string): Promise<MutantBox> {
    const folder = join(repositoryFolder, 'test-results', 'mutants', name);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    for (const path of copied) await cp(join(repositoryFolder, path), join(folder, path), { recursive: true });
    await symlink(join(repositoryFolder, 'node_modules'), join(folder, 'node_modules'), 'junction');
    return new MutantBox(folder);
  }

  /**
   * Runs test files on sources with marked blocks. Returns which blocks each test enters, and how long it takes. A file
   * that fails without a mutant is reported and left out.
   */
  async record(sources: readonly string[], tests: readonly string[]): Promise<readonly FileRecord[]> {
    const originals = await Promise.all(sources.map((path) => readFile(join(this.folder, path), 'utf8')));
    const write = (texts: readonly string[]): Promise<unknown> =>
      Promise.all(sources.map((path, index) => writeFile(join(this.folder, path), texts[index] ?? '')));
    const records = join(this.folder, 'records');
    await write(originals.map((text, index) => markBlocks(sources[index] ?? '', text).text));
    const { output, code } = await runProgram(process.execPath, [trial, 'record', records, ...tests], {
      folder: this.folder,
    });
    await write(originals);
    const failed = tests.filter((path) => !output.includes(`passed ${path}\n`));
    if (code !== 0 || failed.length > 0) console.log(`These fail without a mutant: ${failed.join(', ')}\n${output}`);
    const names = await readdir(records);
    const texts = await Promise.all(names.map((name) => readFile(join(records, name), 'utf8')));
    return texts.map((text) => JSON.parse(text) as FileRecord).filter(({ path }) => !failed.includes(path));
  }

  /** Tries all mutants, one after another. Calls `ended` with the fate of each. */
  async try({ jobs, records, budgetMs }: Trial, ended: (job: Job, fate: Fate) => void): Promise<void> {
    let from = 0;
    while (from < jobs.length) {
      const list = join(this.folder, 'trial.json');
      await writeFile(list, JSON.stringify({ jobs: jobs.slice(from), records, budgetMs }));
      const program = startProgram(process.execPath, [trial, 'try', list], { folder: this.folder });
      for (let job = jobs[from]; job; job = jobs[from]) {
        const fate = await fateOf(job, program);
        ended(job, fate);
        from += 1;
        // End the processes that hang, and restore the file, which may still contain the mutant.
        if (fate === 'timeout') {
          await program.dispose();
          await cp(join(repositoryFolder, job.path), join(this.folder, job.path));
          break;
        }
      }
      await program.dispose();
    }
  }
}

/** Waits for the result of a job. The trial limits the time of its tests; the limit here is for a trial that hangs. */
async function fateOf(job: Job, program: ReturnType<typeof startProgram>): Promise<Fate> {
  await program.waitForOutput(new RegExp(`^start ${job.id}$`, 'm'), 180_000);
  try {
    const done = await program.waitForOutput(new RegExp(`^done ${job.id} (killed|survived|timeout)$`, 'm'), 180_000);
    return done[1] === 'survived' || done[1] === 'timeout' ? done[1] : 'killed';
  } catch {
    return 'timeout';
  }
}
