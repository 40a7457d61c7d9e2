import * as path from 'node:path';

/** A notification of the operating system, as plain text. */
export interface SystemNotification {
  readonly title: string;
  /** May have several lines. */
  readonly body: string;
  /** A link that a click opens, on systems where a notification can open one without a running program. */
  readonly link?: string | undefined;
}

/** A program with its arguments, and variables to add to its environment. */
export interface NotifierCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const maxLength = 500;

/**
 * The command that shows a notification: the system's own program, which is started without a shell. Undefined on
 * platforms that have none. `systemRoot` is the Windows folder.
 */
export function notifierCommand(
  platform: NodeJS.Platform,
  { title, body, link = '' }: SystemNotification,
  systemRoot: string | undefined,
): NotifierCommand | undefined {
  const text = { title: printable(title), body: printable(body) };
  switch (platform) {
    case 'darwin':
      return { program: '/usr/bin/osascript', args: [...osascriptArgs, '--', text.body, text.title], environment: {} };
    case 'win32':
      return {
        program: powershellPath(systemRoot),
        args: powershellArgs,
        environment: {
          LINESIDE_NOTIFICATION_TITLE: text.title,
          LINESIDE_NOTIFICATION_BODY: text.body,
          LINESIDE_NOTIFICATION_LINK: printable(link, link.length),
        },
      };
    case 'linux':
    case 'freebsd':
    case 'openbsd':
      return {
        program: 'notify-send',
        args: [...notifySendArgs, '--', text.title, notifySendText(text.body)],
        environment: {},
      };
    default:
      return undefined;
  }
}

const notifySendArgs = ['--app-name=Lineside', '--hint=string:sound-name:message-new-instant'];

/** Escapes markup and backslashes in a body: `notify-send` replaces escape sequences, and desktops draw markup. */
function notifySendText(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\\': '\\\\' };
  return text.replace(/[&<>\\]/g, (character) => entities[character] ?? '');
}

/** The script gets body and title as arguments, so that no text of a notification becomes a part of the script. */
const osascriptArgs = [
  '-e',
  'on run argv',
  '-e',
  'display notification (item 1 of argv) with title (item 2 of argv) sound name "Ping"',
  '-e',
  'end run',
];

/**
 * Windows shows notifications only of apps that it knows, so ours are shown as PowerShell's. The script contains no
 * double quotes, which would have to be escaped on the command line.
 */
const powershellScript = `
$ErrorActionPreference = 'Stop'
function Escape($text) { [System.Security.SecurityElement]::Escape($text) }
$null = [Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]
$null = [Windows.Data.Xml.Dom.XmlDocument, Windows.Data.Xml.Dom.XmlDocument, ContentType = WindowsRuntime]
$launch = ''
if ($env:LINESIDE_NOTIFICATION_LINK) {
  $launch = ' activationType=''protocol'' launch=''{0}''' -f (Escape $env:LINESIDE_NOTIFICATION_LINK)
}
$texts = '<text>{0}</text><text>{1}</text>' -f (Escape $env:LINESIDE_NOTIFICATION_TITLE), (Escape $env:LINESIDE_NOTIFICATION_BODY)
$xml = New-Object Windows.Data.Xml.Dom.XmlDocument
$xml.LoadXml('<toast' + $launch + '><visual><binding template=''ToastGeneric''>' + $texts + '</binding></visual></toast>')
$toast = New-Object Windows.UI.Notifications.ToastNotification $xml
$app = '{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe'
[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($app).Show($toast)
`;
const powershellArgs = ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', powershellScript];

function powershellPath(systemRoot = ''): string {
  const root = path.win32.isAbsolute(systemRoot) ? systemRoot : 'C:\\Windows';
  return path.win32.join(root, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe');
}

/** Replaces control characters other than line breaks, and what XML can't contain. Limits the length, in characters. */
function printable(text: string, length = maxLength): string {
  const clean = text.replace(/[^\P{Cc}\n]|\p{Cs}|[\ufffe\uffff]/gu, '\ufffd');
  const characters = Array.from(clean);
  return characters.length <= length ? clean : `${characters.slice(0, length - 1).join('')}…`;
}
