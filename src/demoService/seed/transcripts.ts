import { planExchange } from '../agent/texts.ts';
import { Transcript } from './transcript.ts';

/** A running task. The agent continues it when the service starts. */
export function runningTranscript(startedAtMs: number): Transcript {
  const transcript = new Transcript('running', startedAtMs);
  transcript.user('Move our build from webpack to esbuild. Keep the output names, keep the source maps.', {
    userMessageSource: 'cli_tui',
  });
  transcript.assistant('I start with the inventory: what is built, by which loader, into which file.', {
    openaiPhase: 'commentary',
  });
  transcript.tool(
    'read_file',
    { path: 'webpack.config.js' },
    `module.exports = {
  entry: { app: './src/app.tsx', worker: './src/worker.ts' },
  module: { rules: [{ test: /\\.tsx?$/, use: 'ts-loader' }, { test: /\\.svg$/, type: 'asset/inline' }] },
  devtool: 'source-map',
};`,
  );
  transcript.assistant(`Two entries, two loaders, source maps. That maps well:

\`\`\`js
await esbuild.build({
  entryPoints: { app: 'src/app.tsx', worker: 'src/worker.ts' },
  bundle: true,
  outdir: 'dist',
  loader: { '.svg': 'dataurl' },
  sourcemap: true,
});
\`\`\`

- [x] entries
- [x] loaders
- [ ] development server
- [ ] continuous integration`);
  transcript.user('Good. Go on, and run the tests after each module.', { userMessageSource: 'cli_tui' });
  const { name, input, result } = planExchange(2);
  transcript.tool(name, input, result);
  return transcript;
}

/** A session that is pending because its computer is turned off. */
export function pendingTranscript(startedAtMs: number): Transcript {
  const transcript = new Transcript('pending', startedAtMs);
  transcript.user('Upgrade Node.js from 20 to 24 on this machine and rebuild the native modules.', {
    userMessageSource: 'slack',
  });
  return transcript;
}

/** A session that ends with an error. */
export function failedTranscript(startedAtMs: number): Transcript {
  const transcript = new Transcript('failed', startedAtMs);
  transcript.user('Try the login in Safari 17 and 18 and report what you see.', { userMessageSource: 'automation' });
  transcript.tool('open_browser', { name: 'safari', version: '18' }, 'browser "safari" is not installed here', true);
  transcript.assistant('I could not start Safari: it exists on macOS only, and this computer runs Linux.', {
    isError: true,
  });
  return transcript;
}

const guardTests = `import { expect, test } from 'vitest';
import { guard } from '../src/session/guard';
import { requestWith } from './requests';

test('sends a request without a cookie to the login page', async () => {
  const answer = await guard(requestWith(undefined));
  expect(answer?.status).toBe(302);
});

test('lets a signed-in user pass', async () => {
  expect(await guard(requestWith({ expiresAt: Date.now() + 60_000 }))).toBeUndefined();
});

test('sends an expired session to the login page', async () => {
  const answer = await guard(requestWith({ expiresAt: Date.now() - 1 }));
  expect(answer?.headers.get('location')).toBe('/login?next=%2Faccount');
});
`;

/** A finished child session. */
export function testsTranscript(startedAtMs: number): Transcript {
  const transcript = new Transcript('tests', startedAtMs);
  transcript.user('Write tests for the redirect guard: no cookie, fresh cookie, expired cookie.', {
    userMessageSource: 'api',
  });
  transcript.tool('create_file', { path: 'test/guard.test.ts', content: guardTests }, 'Created test/guard.test.ts');
  transcript.assistant(`Three tests, all green; the third one failed before the fix.

\`\`\`ts
test('sends an expired session to the login page', async () => {
  const answer = await guard(requestWith({ expiresAt: Date.now() - 1 }));
  expect(answer?.headers.get('location')).toBe('/login?next=%2Faccount');
});
\`\`\``);
  return transcript;
}

/** An archived session. */
export function archivedTranscript(startedAtMs: number): Transcript {
  const transcript = new Transcript('archived', startedAtMs);
  transcript.user('Would a Redis cache in front of search pay off?', { userMessageSource: 'linear' });
  transcript.assistant(`Not now. With the queries of last week:

| | without | with cache |
| --- | ---: | ---: |
| median | 38 ms | 35 ms |
| 99th percentile | 210 ms | 204 ms |

Only **9 %** of the queries repeat within an hour. The index is what costs; I would look there first.`);
  return transcript;
}
