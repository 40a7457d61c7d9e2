/**
 * Provides the baseline of the benchmark, called the floor: a webview with one line and a text field that is opened and
 * updated in the same way as the conversation page. Also provides the door, a server on the loopback interface. Through
 * it, the benchmark runs commands and reads what the extension host uses, without clicks. During a benchmark,
 * `$LINESIDE_BENCH/door.json` contains the port of the door.
 */
const { createServer } = require('node:http');
const { readFile, rename, writeFile } = require('node:fs/promises');
const { join } = require('node:path');
const { monitorEventLoopDelay, performance } = require('node:perf_hooks');
const v8 = require('node:v8');
const vm = require('node:vm');
const vscode = require('vscode');

v8.setFlagsFromString('--expose-gc');
const collectGarbage = vm.runInNewContext('gc');

/** Memory use in MB: the heap plus external buffers, and the whole process. */
function memoryMB() {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { usedMB: (heapUsed + external) / 1e6, rssMB: rss / 1e6 };
}

/** Processor time in ms and bytes written since the process started. The bytes are known on Linux only. */
async function usage() {
  const { user, system } = process.cpuUsage();
  const io = await readFile('/proc/self/io', 'utf8').catch(() => '');
  return { cpuMs: (user + system) / 1000, writtenBytes: Number(/^write_bytes: (\d+)$/m.exec(io)?.[1] ?? NaN) };
}

const delayStepMs = 5;
const delays = monitorEventLoopDelay({ resolution: delayStepMs });

/**
 * The longest time for which the extension host was busy with one task since the last call, in ms; 0 in the first call.
 */
function takeStall() {
  const stallMs = Math.max(0, delays.max / 1e6 - delayStepMs);
  delays.reset();
  // Measure only from the first call on, because the timer takes processor time.
  delays.enable();
  return { stallMs };
}

async function activateNow(id) {
  const extension = vscode.extensions.getExtension(id);
  if (extension.isActive) throw new Error(`${id} is active already`);
  const startedAtMs = performance.now();
  await extension.activate();
  return { tookMs: performance.now() - startedAtMs };
}

const script = `
  const api = acquireVsCodeApi();
  const line = document.createElement('article');
  const field = document.createElement('textarea');
  const view = document.createElement('div');
  view.className = 'rows';
  const tall = document.createElement('div');
  tall.className = 'tall';
  view.append(tall);
  document.body.append(field, view);
  addEventListener('message', ({ data }) => {
    line.textContent = data.text;
    line.dataset.key = 'floor';
    tall.prepend(line);
  });
  api.postMessage({ type: 'ready' });
`;

const html = `<!DOCTYPE html><html><head>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-floor'; style-src 'nonce-floor'">
<style nonce="floor">body { margin: 0 } textarea { height: 40px } .rows { height: 600px; overflow: auto } .tall { height: 300000px }</style>
</head><body><script nonce="floor">${script}</script></body></html>`;

const floor = { panel: undefined };

function openFloor() {
  const atMs = Date.now();
  const panel = vscode.window.createWebviewPanel('floor', 'Floor', vscode.ViewColumn.Active, { enableScripts: true });
  floor.panel = panel;
  panel.webview.onDidReceiveMessage(() => panel.webview.postMessage({ text: 'the first words' }));
  panel.webview.html = html;
  return { atMs };
}

async function answer(request) {
  const atMs = Date.now();
  switch (request.type) {
    case 'openFloor':
      return openFloor();
    case 'tellFloor':
      void floor.panel.webview.postMessage({ text: request.text });
      return { atMs };
    case 'run':
      return { atMs, result: (await vscode.commands.executeCommand(request.command, ...request.args)) ?? null };
    case 'activate':
      return activateNow(request.extensionId);
    case 'memory':
      return memoryMB();
    case 'takeStall':
      return takeStall();
    case 'usage':
      return usage();
    default:
      throw new Error(`unknown request ${request.type}`);
  }
}

/** @param {vscode.ExtensionContext} context */
function activate(context) {
  const server = createServer(async (incoming, response) => {
    let text = '';
    for await (const chunk of incoming) text += chunk;
    const body = await answer(JSON.parse(text)).catch((error) => ({ error: String(error) }));
    response.end(JSON.stringify(body));
  });
  context.subscriptions.push({ dispose: () => server.close() });
  server.listen(0, '127.0.0.1', async () => {
    const file = join(process.env.LINESIDE_BENCH, 'door.json');
    const door = { processId: process.pid, port: server.address().port };
    await writeFile(`${file}.part`, JSON.stringify(door));
    await rename(`${file}.part`, file);
  });
}

module.exports = { activate };
