import { type Translate, plainLine } from '../../shared/text.ts';

/** Where a user's message came from, as a badge (spec 2.4, `userMessageSource`). Words listed later show as they are. */
export function describeSource(source: string, t: Translate): { label: string; hint: string } {
  const name = sourceName(source, t);
  return { label: t('from {0}', name), hint: t('The service says this message came from: {0}', plainLine(source, 60)) };
}

function sourceName(source: string, t: Translate): string {
  switch (source) {
    case 'web':
      return t('the web');
    case 'desktop':
      return t('the desktop app');
    case 'cli_tui':
    case 'cli_exec':
    case 'cli_acp':
      return t('the command line');
    case 'slack':
      return 'Slack';
    case 'linear':
      return 'Linear';
    case 'sessions_api':
    case 'api':
      return t('the API');
    case 'automation':
      return t('an automation');
    case 'readiness-remediation':
    case 'readiness-evaluation':
      return t('a readiness check');
    case 'wiki-generation':
    case 'wiki-ci-setup':
      return t('the wiki');
    default:
      return plainLine(source, 40);
  }
}
