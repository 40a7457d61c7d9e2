/**
 * Builds everything that runs: the extension's entry point, the chunks that are loaded on first use (the code that
 * loads pages, the rest of the extension and the code that loads it, undici, the embedded service, and the file
 * search), the pages, and the scripts that the conversation page loads for its first code block and its first formula.
 *
 *   node esbuild.js                development build, with source maps
 *   node esbuild.js --production   minified, without source maps, for the VSIX
 *   node esbuild.js --watch        rebuild on change
 *   node esbuild.js --metafile     also write dist/meta-<bundle>.json, for tests and size analysis
 */
const { readFileSync, rmSync, mkdirSync, writeFileSync } = require('node:fs');
const { join, relative } = require('node:path');
const esbuild = require('esbuild');
const { optimize } = require('svgo');

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');
const metafile = process.argv.includes('--metafile');

/** The path of a file relative to the repository, with forward slashes. */
const inRepository = (path) => relative(__dirname, path).replaceAll('\\', '/');

/** Maps the import specifier of each lazily loaded module to the file that it is built into. */
const lazyChunks = new Map([
  ['./app/app.ts', './app.js'],
  ['./host/bundleCache.ts', './bundleCache.js'],
  ['./views/conversation/pageResources.ts', './pageResources.js'],
  ['./directTransport.ts', './directTransport.js'],
  ['../demoService/service.ts', './demoService.js'],
  ['./fuzzyFiles.ts', './fuzzyFiles.js'],
]);

/** Keeps a dynamic import of a lazy chunk as a reference to the built file instead of inlining it. */
const externaliseLazyChunks = {
  name: 'externalise-lazy-chunks',
  setup(build) {
    build.onResolve({ filter: /\.ts$/ }, (args) => {
      const file = args.kind === 'dynamic-import' ? lazyChunks.get(args.path) : undefined;
      return file ? { path: file, external: true } : undefined;
    });
  },
};

/**
 * Leaves out parts of undici that are imported but never run by a pool without HTTP/2, form data, and fetch bodies.
 * They would pull in `lib/web`, which adds 100 kB and replaces globals in other setups (R14). Also leaves out the SIMD
 * build of the HTTP parser. undici then falls back to the other build, which runs on every processor and is fast enough
 * for one service.
 */
const trimUndici = {
  name: 'trim-undici',
  setup(build) {
    build.onResolve({ filter: /(web\/fetch\/body|client-h2|llhttp_simd-wasm)\.js$/ }, (args) =>
      /node_modules\/undici\/lib\//.test(args.importer) ? { path: args.path, namespace: 'unused-undici' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'unused-undici' }, () => ({
      contents: "module.exports = () => { throw new Error('left out of the bundle'); };",
    }));
  },
};

/**
 * Ships undici's HTTP parser as a file of its own: as base64 text in a script, it makes the package 5 KB larger. The
 * paths that esbuild sees are relative, so that no output depends on the folder of the build.
 */
const binaryParser = {
  name: 'binary-parser',
  setup(build) {
    const source = /undici[\\/]lib[\\/]llhttp[\\/]llhttp-wasm\.js$/;
    build.onLoad({ filter: source }, ({ path }) => ({
      contents: `const { readFileSync } = require('node:fs');
        const { join } = require('node:path');
        module.exports = readFileSync(join(__dirname, require(${JSON.stringify(`${inRepository(path)}.wasm`)})));`,
    }));
    build.onResolve({ filter: /llhttp-wasm\.js\.wasm$/ }, ({ path }) => ({ path, namespace: 'binary-parser' }));
    build.onLoad({ filter: /.*/, namespace: 'binary-parser' }, ({ path }) => ({
      contents: require(join(__dirname, path.replace(/\.wasm$/, ''))),
      loader: 'file',
    }));
  },
};

/**
 * Gives each bundle a zod configuration and registry of its own. zod keeps them on `globalThis`, where another
 * extension in the same process could change how schemas parse, and what their errors say.
 */
const privateZod = {
  name: 'private-zod',
  setup(build) {
    build.onLoad({ filter: /zod[\\/]v4[\\/]core[\\/](core|registries)\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      if (!source.includes('globalThis')) throw new Error('zod no longer keeps its configuration on globalThis');
      return { contents: `const ownGlobal = {};\n${source.replaceAll('globalThis', 'ownGlobal')}` };
    });
  },
};

/**
 * Imports the API of VS Code as `require` returns it. For an import, esbuild copies the API into an object of its own,
 * property by property, in each module: 100 times when the app loads.
 */
const plainApi = {
  name: 'plain-api',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const contents = source.replace(/^import \* as vscode from 'vscode';$/m, "const vscode = require('vscode');");
      return contents === source ? undefined : { contents, loader: 'ts' };
    });
  },
};

/** Calls `require` for the API only once in a bundle: VS Code resolves the path of the bundle for each call. */
const oneApi = {
  name: 'one-api',
  setup(build) {
    build.onResolve({ filter: /^vscode$/ }, ({ namespace }) =>
      namespace === 'api' ? { path: 'vscode', external: true } : { path: 'vscode', namespace: 'api' },
    );
    build.onLoad({ filter: /.*/, namespace: 'api' }, () => ({ contents: "module.exports = require('vscode');" }));
  },
};

/** Shortens the text of icons. Two decimals are precise enough for icons of 16 px. */
const shortIcons = {
  name: 'short-icons',
  setup(build) {
    build.onLoad({ filter: /codicons[\\/]src[\\/]icons[\\/].*\.svg$/ }, ({ path }) => ({
      contents: optimize(readFileSync(path, 'utf8'), { floatPrecision: 2 }).data,
      loader: 'text',
    }));
  },
};

/**
 * Replaces the `entities` package: the browser already knows the named entities, so the page needs no table of them.
 */
const ownEntities = {
  name: 'own-entities',
  setup(build) {
    build.onResolve({ filter: /^entities$/ }, () => ({
      path: join(__dirname, 'src', 'webview', 'content', 'namedEntities.ts'),
    }));
  },
};

const shared = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  sourcesContent: false,
  legalComments: 'none',
  logLevel: 'warning',
  charset: 'utf8',
  metafile: true,
};

const host = {
  ...shared,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  mainFields: ['module', 'main'],
  external: ['vscode'],
  // Lazy chunks are loaded with `require`: VS Code runs hooks of its own, in another thread, for each `import()`.
  supported: { 'dynamic-import': false },
  define: { isDevelopmentBuild: String(!production) },
  plugins: [plainApi],
};

const bundles = {
  extension: {
    ...host,
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.js',
    plugins: [...host.plugins, externaliseLazyChunks, privateZod],
  },
  app: {
    ...host,
    entryPoints: ['src/app/app.ts'],
    outfile: 'dist/app.js',
    plugins: [...host.plugins, oneApi, externaliseLazyChunks, privateZod],
  },
  bundleCache: { ...host, entryPoints: ['src/host/bundleCache.ts'], outfile: 'dist/bundleCache.js' },
  pageResources: {
    ...host,
    entryPoints: ['src/views/conversation/pageResources.ts'],
    outfile: 'dist/pageResources.js',
  },
  directTransport: {
    ...host,
    entryPoints: ['src/api/transport/directTransport.ts'],
    outfile: 'dist/directTransport.js',
    assetNames: 'httpParser',
    plugins: [...host.plugins, trimUndici, binaryParser, privateZod],
  },
  demoService: {
    ...host,
    entryPoints: ['src/demoService/service.ts'],
    outfile: 'dist/demoService.js',
    plugins: [...host.plugins, privateZod],
  },
  fuzzyFiles: { ...host, entryPoints: ['src/host/files/fuzzyFiles.ts'], outfile: 'dist/fuzzyFiles.js' },
  page: {
    ...shared,
    platform: 'browser',
    format: 'iife',
    target: 'chrome138',
    // Syntax highlighting and formulas are larger than the rest of the page, so each is a separate script.
    entryPoints: {
      conversation: 'src/webview/main.ts',
      highlight: 'src/webview/highlight/chunk.ts',
      math: 'src/webview/math/chunk.ts',
      usage: 'src/webview/usage/main.ts',
    },
    outdir: 'dist/media',
    plugins: [shortIcons, ownEntities],
  },
};

async function buildOnce() {
  rmSync('dist', { recursive: true, force: true });
  mkdirSync('dist/media', { recursive: true });
  for (const [name, options] of Object.entries(bundles)) {
    const result = await esbuild.build(options);
    if (metafile) writeFileSync(`dist/meta-${name}.json`, JSON.stringify(result.metafile));
  }
}

async function rebuildOnChange() {
  mkdirSync('dist/media', { recursive: true });
  for (const options of Object.values(bundles)) {
    const context = await esbuild.context(options);
    await context.watch();
  }
  console.log('watching src; press Ctrl+C to stop');
}

if (require.main === module) {
  (watch ? rebuildOnChange() : buildOnce()).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}

module.exports = { bundles };
