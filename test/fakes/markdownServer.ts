/**
 * The language server of VS Code's Markdown extension, from an installation that the end-to-end tests have downloaded.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../../tools/editor/install/cache.ts';
import { tokensOf } from './markdownLinks.ts';

const script = 'node_modules/code-server/lib/vscode/extensions/markdown-language-features/dist/serverWorkerMain.js';

/** The paths of the scripts of the servers on this computer, by the names of the installation folders. */
export const markdownServers: Readonly<Record<string, string>> = Object.fromEntries(
  (existsSync(cacheFolder) ? readdirSync(cacheFolder) : [])
    .filter((name) => name.startsWith('code-server-'))
    .map((name) => [name, join(cacheFolder, name, script)] as const)
    .filter(([, path]) => existsSync(path)),
);

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly uri?: string };
  readonly result?: unknown;
}

interface Link {
  readonly target?: string;
  readonly range: { readonly start: object };
}

/** A running server, which speaks the Language Server Protocol with this process. */
export class MarkdownServer {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, (result: unknown) => void>();
  readonly #texts = new Map<string, string>();
  #lastId = 0;

  private constructor(path: string) {
    this.#process = fork(path, ['--node-ipc', `--clientProcessId=${process.pid}`], {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#process.on('message', (message) => this.#receive(message as Message));
  }

  static async start(path: string): Promise<MarkdownServer> {
    const server = new MarkdownServer(path);
    const options = { markdownFileExtensions: ['md'] };
    const params = { processId: process.pid, rootUri: null, capabilities: {}, initializationOptions: options };
    await server.#ask('initialize', params);
    server.#send({ method: 'initialized', params: {} });
    return server;
  }

  /** The targets of the links of a document, and the contents of their hovers. */
  async linksAndHovers(
    text: string,
  ): Promise<{ readonly links: readonly string[]; readonly hovers: readonly string[] }> {
    const uri = `lineside:/${this.#lastId}.md`;
    this.#texts.set(uri, text);
    this.#send({
      method: 'textDocument/didOpen',
      params: { textDocument: { uri, languageId: 'markdown', version: 1, text } },
    });
    const textDocument = { uri };
    const found = ((await this.#ask('textDocument/documentLink', { textDocument })) ?? []) as readonly Link[];
    const hovers: string[] = [];
    for (const { range } of found) {
      const hover = await this.#ask('textDocument/hover', { textDocument, position: range.start });
      if (hover) hovers.push(JSON.stringify(hover));
    }
    this.#send({ method: 'textDocument/didClose', params: { textDocument } });
    this.#texts.delete(uri);
    return { links: found.map(({ target }) => target ?? 'internal'), hovers };
  }

  stop(): void {
    this.#process.kill();
  }

  #ask(method: string, params: object): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#send({ id, method, params });
    });
  }

  #send(message: object): void {
    this.#process.send({ jsonrpc: '2.0', ...message });
  }

  #receive({ id, method, params, result }: Message): void {
    if (id === undefined) return;
    if (method === undefined) {
      this.#waiting.get(id)?.(result);
      this.#waiting.delete(id);
    } else if (method === 'markdown/parse') {
      this.#send({ id, result: tokensOf(this.#texts.get(params?.uri ?? '') ?? '') });
    } else {
      this.#send({ id, result: method === 'workspace/configuration' ? [{}] : null });
    }
  }
}
