import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { Module, createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { type Disposable, onDispose } from '../shared/lifecycle.ts';

/** The delay after which compiled code is saved. The functions that the first command runs are compiled by then. */
const saveDelayMs = 5_000;
/** A file starts with the CRC-32 of the rest. */
const headerBytes = 4;
/** The length of what `Module.wrap` adds before the source. */
const wrapperLength = Module.wrap('').indexOf('\n');
/** The time after which the file of an engine that may no longer be used is removed. */
const keptMs = 30 * 86_400_000;

/** The folders of the extension and of its storage, as in `vscode.ExtensionContext`. */
interface Folders {
  readonly extensionPath: string;
  readonly globalStorageUri: { readonly fsPath: string };
}

/**
 * Loads the bundle of the app, with compiled code if an earlier window saved some. If that fails, `import` has to load
 * the bundle. Disposing the result cancels a pending save of compiled code. Never throws.
 */
export function preloadApp({ extensionPath, globalStorageUri }: Folders): Disposable {
  try {
    return preloadBundle(join(extensionPath, 'dist', 'app.js'), join(globalStorageUri.fsPath, 'compiled'));
  } catch {
    return onDispose(() => undefined);
  }
}

/**
 * Loads a bundle like `require`, with code that an earlier window compiled. From then on, `require` returns the loaded
 * bundle. Without compiled code, loading the largest bundle takes 80 ms, of which compiling takes 30 ms.
 *
 * `folder` has a file for each engine (version, flags, and processor), which is valid for one content of the bundle. If
 * there is no valid file, the bundle is compiled, and the file is written after {@link saveDelayMs}, unless the
 * returned object is disposed before that. Nothing depends on the file, so failures to read or write it are ignored.
 * @throws if the bundle can't be read, or if its code throws.
 */
function preloadBundle(file: string, folder: string): Disposable {
  const path = createRequire(file).resolve(file);
  const require = createRequire(path);
  if (require.cache[path]) return onDispose(() => undefined);
  const source = readFileSync(path, 'utf8');
  const prefix = `${basename(path, '.js')}-${process.arch}-${cachedDataVersionTag().toString(16)}-`;
  const compiledFile = join(folder, `${prefix}${crc32(source).toString(16)}.bin`);
  const cachedData = readCompiled(compiledFile);
  const options = { filename: path, columnOffset: -wrapperLength };
  const script = new Script(Module.wrap(source), cachedData ? { ...options, cachedData } : options);
  const module = new Module(path);
  module.filename = path;
  const run: unknown = script.runInThisContext();
  if (typeof run !== 'function') throw new TypeError('The bundle is not a CommonJS module.');
  Reflect.apply(run, module.exports, [module.exports, require, module, path, dirname(path)]);
  module.loaded = true;
  require.cache[path] = module;
  if (cachedData && script.cachedDataRejected === false) return onDispose(() => undefined);
  const timer = setTimeout(() => void save(script, compiledFile, prefix).catch(() => undefined), saveDelayMs);
  return onDispose(() => clearTimeout(timer));
}

/** Compiled code; undefined if there is no file or it is damaged, which the engine wouldn't notice. */
function readCompiled(file: string): Buffer | undefined {
  try {
    const content = readFileSync(file);
    const compiled = content.subarray(headerBytes);
    return content.readUInt32LE() === crc32(compiled) ? compiled : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Writes the compiled code of a script to a file. Then removes the other files with the same prefix, which belong to
 * other contents of the bundle, and old files.
 */
async function save(script: Script, file: string, prefix: string): Promise<void> {
  const folder = dirname(file);
  const compiled = script.createCachedData();
  await mkdir(folder, { recursive: true });
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32LE(crc32(compiled));
  const temporaryFile = `${file}.${process.pid}`;
  try {
    await writeFile(temporaryFile, Buffer.concat([header, compiled]), { mode: 0o600 });
    await rename(temporaryFile, file);
  } finally {
    await rm(temporaryFile, { force: true });
  }
  for (const name of await readdir(folder)) {
    const other = join(folder, name);
    if (other === file) continue;
    if (name.startsWith(prefix) || (await stat(other)).mtimeMs < Date.now() - keptMs) await rm(other, { force: true });
  }
}
