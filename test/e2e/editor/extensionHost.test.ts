import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import type { HostTestResult } from '../../../tools/editor/drive/hostTests.ts';
import { copySampleProject } from '../../../tools/editor/sampleProject.ts';
import type { EditorVersion } from '../../../tools/editor/install/vscodeServer.ts';
import { runPackaged } from '../journey/packaged.ts';

const fixtures = join(import.meta.dirname, '..', '..', 'fixtures', 'tls');

async function run(version: EditorVersion): Promise<HostTestResult[]> {
  const project = await copySampleProject();
  // Replaces the system's certificate store.
  const store = await mkdtemp(join(tmpdir(), 'lineside-store-'));
  await copyFile(join(fixtures, 'authority.cert.pem'), join(store, 'authority.pem'));
  try {
    return await runPackaged({
      suite: join(import.meta.dirname, 'host', 'inOneWindow.ts'),
      version,
      folder: project.folder,
      settings: {
        // In a browser, VS Code saves files automatically after a second.
        'files.autoSave': 'off',
        // The default in 1.139; 1.110 would read fixed files instead of the store.
        'http.systemCertificatesNode': true,
      },
      environment: process.platform === 'linux' ? { TLS_FIXTURES: fixtures, SSL_CERT_DIR: store } : {},
      say: console.log,
    });
  } finally {
    await project.dispose();
    await rm(store, { recursive: true });
  }
}

// The suites run before the tests are declared, so that each result is reported as a separate test.
for (const version of ['1.139', '1.110'] as const) {
  const results = await run(version);
  describe(`the extension host of VS Code ${version}`, () => {
    it.each(results)('$name', ({ failure }) => {
      if (failure !== undefined) throw new Error(failure);
    });
  });
}
