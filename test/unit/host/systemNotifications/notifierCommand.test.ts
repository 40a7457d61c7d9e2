import { describe, expect, it } from 'vitest';
import { notifierCommand } from '../../../../src/host/systemNotifications/notifierCommand.ts';

/** Titles that a hostile service could send, as the body of a notification. */
const hostileTexts = [
  '-u critical',
  '--help',
  '--',
  '<b>bold</b> & <img src="https://evil.test/x.png"/>',
  '&amp;',
  'one\ntwo',
  `"quoted" 'quoted'`,
  '$(touch /tmp/x) `touch /tmp/x` ${HOME} %PATH% $env:PATH',
  "'; Remove-Item -Recurse C:\\; '",
  '" & (do shell script "id") & "',
  'C:\\new\\table \\x41 \\101',
  '\u202egnp.exe \u2066 \u200b',
  '{0} {1} %s',
  ']]> <!-- -->',
];

describe('on Linux', () => {
  const own = ['--app-name=Lineside', '--hint=string:sound-name:message-new-instant', '--'];

  it.each(hostileTexts)('passes %j as one argument after "--", with markup and backslashes escaped', (body) => {
    const command = notifierCommand('linux', { title: 'Lineside', body }, undefined);
    const escaped = body
      .replaceAll('\\', '\\\\')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;');
    expect(command).toEqual({ program: 'notify-send', args: [...own, 'Lineside', escaped], environment: {} });
  });
});

describe('on macOS', () => {
  it.each(hostileTexts)('passes %j as an argument of a constant script', (body) => {
    const { program, args, environment } = notifierCommand('darwin', { title: 'Lineside', body }, undefined)!;
    expect([program, environment]).toEqual(['/usr/bin/osascript', {}]);
    expect(args).toEqual([
      '-e',
      'on run argv',
      '-e',
      'display notification (item 1 of argv) with title (item 2 of argv) sound name "Ping"',
      '-e',
      'end run',
      '--',
      body,
      'Lineside',
    ]);
  });
});

describe('on Windows', () => {
  const usual = notifierCommand('win32', { title: 'Lineside', body: 'Done' }, 'C:\\Windows')!;

  it.each(hostileTexts)('passes %j in an environment variable to a constant script', (body) => {
    const link = 'vscode://lineside.lineside/open?session=a%2520b';
    const command = notifierCommand('win32', { title: 'Lineside', body, link }, 'C:\\Windows')!;
    expect(command).toEqual({
      program: 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe',
      args: usual.args,
      environment: {
        LINESIDE_NOTIFICATION_TITLE: 'Lineside',
        LINESIDE_NOTIFICATION_BODY: body,
        LINESIDE_NOTIFICATION_LINK: link,
      },
    });
  });

  it('escapes the variables for XML, and needs no escaping on the command line', () => {
    const script = usual.args.at(-1)!;
    expect(usual.args.slice(0, -1)).toEqual(['-NoLogo', '-NoProfile', '-NonInteractive', '-Command']);
    expect(script).not.toContain('"');
    const read = [...script.matchAll(/(\(Escape )?\$env:LINESIDE_\w+/g)].filter(([, escaped]) => !escaped);
    expect(read.map(([text]) => text)).toEqual(['$env:LINESIDE_NOTIFICATION_LINK']);
    expect(script).toContain('if ($env:LINESIDE_NOTIFICATION_LINK) {');
  });

  it.each([
    ['D:\\WinNT', 'D:\\WinNT\\System32\\WindowsPowerShell\\v1.0\\powershell.exe'],
    ['Windows', 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe'],
    ['', 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe'],
    [undefined, 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe'],
  ])('starts PowerShell by its absolute path if the Windows folder is %j', (root, program) => {
    expect(notifierCommand('win32', { title: '', body: '' }, root)?.program).toBe(program);
  });
});

describe.each(['linux', 'darwin', 'win32'] as const)('on every platform (%s)', (platform) => {
  const textOf = (body: string) => {
    const { args, environment } = notifierCommand(platform, { title: 'T', body }, undefined)!;
    return JSON.stringify([args.slice(platform === 'win32' ? args.length : -2), environment]);
  };

  it('replaces characters that arguments and XML documents must not contain', () => {
    expect(textOf('a\0b\u001bc\rd\ud800e\uffff')).toContain('a\ufffdb\ufffdc\ufffdd\ufffde\ufffd');
  });

  it('limits the length of the text without cutting a character', () => {
    const text = textOf('😀'.repeat(600));
    expect(text).toContain(`${'😀'.repeat(499)}…`);
    expect(text).not.toContain('😀'.repeat(500));
  });
});

it('knows no program on other platforms', () => {
  expect(notifierCommand('aix', { title: '', body: '' }, undefined)).toBeUndefined();
});
