import type { ContentBlock } from '../resources.ts';
import { Transcript } from './transcript.ts';

/** A bar chart as a base64-encoded PNG of 160 by 80 pixels. */
const chartPng =
  'iVBORw0KGgoAAAANSUhEUgAAAKAAAABQAgMAAADjM5anAAAADFBMVEX///88eMjcWka+vr6Asag6AAAAgElEQVR42mNgGAWDDLCGhoaC6P+EwFeg' +
  'QiBFvImDT+GqVasWjCqkkkLR0NCQEaKQESjhgEUhRh75C5So/w9UuP7/1dDQcNx5BpeJowoHRiFYbGQqBIvRTyE0pyCyB4E8MxBuJEEhkBEwqnBU' +
  'IU0V/v8PZMQTlWeGgmeIA0Oh8QwAjcs2jGm/rYcAAAAASUVORK5CYII=';

const chart: ContentBlock = { type: 'image', source: { type: 'base64', mediaType: 'image/png', data: chartPng } };

const notes = `2026-03-02 login keeps bouncing between /login and /account
- only for users with a session older than 30 days
- Firefox and Chrome alike
- clearing cookies helps, once
`;

const reportText = 'Redirects per day: Mon 12, Tue 15, Wed 11, Thu 14, Fri 96 (deploy at 09:40).';
/** A PDF of one empty page. */
const reportPdf = Buffer.from(
  `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`,
).toString('base64');

/** A finished conversation with every role and every kind of content. */
export function loginTranscript(startedAtMs: number): Transcript {
  const transcript = new Transcript('login', startedAtMs);
  transcript.add('system', 'You are a careful engineer. Read before you write; run the tests.', {
    visibility: 'llm_only',
    isUserVisible: false,
  });
  askAndFind(transcript);
  fixAndVerify(transcript);
  explainAndFork(transcript);
  return transcript;
}

function askAndFind(transcript: Transcript): void {
  transcript.user(
    [
      {
        type: 'text',
        id: 'block_login_question',
        text: 'Users report a **redirect loop** after login. Notes, a chart, and a report of the 302 answers attached.',
      },
      chart,
      {
        type: 'document',
        name: 'notes.md',
        mediaType: 'text/markdown',
        path: 'docs/notes.md',
        source: documentSource(),
      },
      {
        type: 'document',
        name: 'redirects.pdf',
        mediaType: 'application/pdf',
        source: { type: 'base64', mediaType: 'application/pdf', data: reportPdf, parsedData: reportText },
      },
    ],
    { userMessageSource: 'desktop' },
  );
  transcript.assistant(
    [
      {
        type: 'thinking',
        thinking:
          'The loop only hits old sessions. So the guard and the login page disagree about what "signed in" means: one ' +
          'looks at the cookie, the other at the expiry. I should find both places.',
        signature: 'ErUBCkYIBBgCIkDm9xQ2',
        signatureProvider: 'anthropic',
      },
      { type: 'redacted_thinking', data: 'EmwKAhgBEgy3vaPqJxk1' },
      { type: 'text', text: 'The jump on day five fits the deploy. I look for where the two pages decide.' },
    ],
    {
      openaiPhase: 'commentary',
      openaiMessageId: 'msg_68f0c1d2a9',
      openaiReasoningId: 'rs_68f0c1d2a8',
      openaiEncryptedContent: 'gAAAAABo8MHSfIvT0q3lQ4Xr1mZb7A',
      openaiReasoningSummary: 'Two places disagree about an expired session.',
    },
  );
  search(transcript);
}

function search(transcript: Transcript): void {
  transcript.tool(
    'grep',
    { pattern: 'isSignedIn|expiresAt', path: 'src' },
    `src/session/guard.ts:6:  if (session?.expiresAt && session.expiresAt > Date.now()) return undefined;
src/pages/login.ts:14:  if (await isSignedIn(request)) return Response.redirect('/account');
src/session/store.ts:22:export const isSignedIn = async (request) => Boolean(await readSession(request));`,
  );
  transcript.tool(
    'read_file',
    { path: 'src/session/gaurd.ts' },
    "ENOENT: no such file or directory, open 'src/session/gaurd.ts'",
    true,
  );
}

function fixAndVerify(transcript: Transcript): void {
  transcript.tool(
    'edit_file',
    {
      path: 'src/session/store.ts',
      edits: [{ oldText: 'Boolean(await readSession(request))', newText: '!isExpired(await readSession(request))' }],
    },
    [{ type: 'text', text: 'Applied 1 edit to src/session/store.ts' }, chart],
  );
  transcript.assistant(
    `Found it. An **expired** session counts as signed in on the login page, and as signed out in the guard:

\`\`\`mermaid
sequenceDiagram
  Browser->>Guard: GET /account (old cookie)
  Guard-->>Browser: 302 /login
  Browser->>Login: GET /login (old cookie)
  Login-->>Browser: 302 /account
\`\`\`

The fix is one shared question:

\`\`\`ts
/** Whether the session is missing or past its time. */
export function isExpired(session: Session | undefined, now = Date.now()): boolean {
  return session === undefined || session.expiresAt <= now;
}
\`\`\`

| cookie | guard before | login before | both now |
| :--- | :---: | :---: | :---: |
| none | refuse | show | refuse / show |
| fresh | pass | redirect | pass / redirect |
| **expired** | refuse | **redirect** | refuse / show |

I let the tests run next.`,
    { openaiPhase: 'final_answer' },
  );
  transcript.tool(
    'run_tests',
    { command: 'npm test -- session' },
    'Test files  4 passed (4)\n     Tests  31 passed (31)\n  Duration  1.12s',
  );
}

function explainAndFork(transcript: Transcript): void {
  const questionId = transcript.user('Nice. What would the same check be in SQL, for the clean-up job?', {
    userMessageSource: 'sessions_api',
  });
  transcript.assistant(
    `Like this; the index makes it cheap:

\`\`\`sql
DELETE FROM sessions
WHERE expires_at <= now() - interval '30 days'
RETURNING id;
\`\`\`

1. Run it nightly.
2. Watch the count:
   - a few hundred is normal
   - thousands means that clients do not renew

And in the shell, to try it by hand:

\`\`\`bash
psql "$DATABASE_URL" --command "SELECT count(*) FROM sessions WHERE expires_at <= now()"
\`\`\``,
    { parentId: questionId, openaiPhase: 'final_answer' },
  );
  transcript.assistant('A shorter variant of the same answer: `DELETE FROM sessions WHERE expires_at <= now();`', {
    parentId: questionId,
    openaiPhase: null,
    chatCompletionReasoningField: 'reasoning_content',
    chatCompletionReasoningContent: 'The user may prefer one line without the index discussion.',
  });
  transcript.assistant(
    [
      { type: 'text', text: 'The states of a session, as a diagram:' },
      { type: 'diagram', format: 'dot', source: 'digraph { fresh -> expired -> removed; fresh -> renewed -> fresh }' },
    ],
    {
      isUserVisible: true,
      geminiThoughtSignature: 'CiQBjz1rX0Zq',
      chatCompletionReasoningField: 'reasoning',
      chatCompletionReasoningContent: 'A diagram shows the states better than a list.',
    },
  );
  transcript.add('system', 'The context was compacted: 42 earlier messages were folded into a summary.', {
    visibility: 'user_only',
  });
}

function documentSource() {
  return { type: 'base64', mediaType: 'text/markdown', data: Buffer.from(notes).toString('base64') } as const;
}
