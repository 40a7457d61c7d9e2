/** Replaces the module `vscode` in a window process, so that it can run the code that edits and sends drafts. */
import { registerHooks } from 'node:module';

const source = `
export const DiagnosticSeverity = {};
export const Uri = { parse: (text) => ({ scheme: 'file', toString: () => text }) };
export const workspace = {
  textDocuments: [],
  fs: { isWritableFileSystem: () => true },
  getConfiguration: () => ({ get: () => undefined }),
};
`;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode' ? { url: 'stub:vscode', shortCircuit: true } : next(specifier, context),
  load: (url, context, next) =>
    url === 'stub:vscode' ? { format: 'module', source, shortCircuit: true } : next(url, context),
});
