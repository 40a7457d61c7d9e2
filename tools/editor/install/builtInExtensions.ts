import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { cachedFolder } from './cache.ts';
import type { VscodeServer } from './vscodeServer.ts';

/**
 * The built-in extensions that most end-to-end tests use: Git, notebooks, highlighting, themes, icons, and the previews
 * of Markdown, diagrams, and media.
 */
const fewExtensions = [
  'git',
  'git-base',
  'ipynb',
  'javascript',
  'json',
  'markdown-basics',
  'markdown-language-features',
  'media-preview',
  'mermaid-markdown-features',
  'theme-defaults',
  'theme-modern-icons',
  'theme-seti',
  'typescript-basics',
];

/**
 * A folder with the few built-in extensions of this server that most end-to-end tests need. Without the other 80, for
 * example language servers, Emmet, and GitHub, a window starts with two thirds of the processor time.
 */
export function folderOfFewExtensions(server: VscodeServer): Promise<string> {
  const sources = fewExtensions.map((name) => join(server.folder, 'extensions', name));
  // Another list, another build of this version, or a moved repository needs another folder.
  const hash = createHash('sha256').update(sources.join('\n')).digest('hex').slice(0, 12);
  return cachedFolder(`few-extensions-${server.version}-${hash}`, async (folder) => {
    for (const source of sources) {
      // The oldest supported version doesn't have all of them.
      if (existsSync(source)) await symlink(source, join(folder, basename(source)), 'junction');
    }
  });
}
