import { plainLine, type Translate } from '../../shared/text.ts';
import type { PlaceholderName, TemplateFailure } from '../templates/placeholders.ts';

/** Describes in one or two sentences why a template can't be used. `setting` is the ID of the template's setting. */
export function describeTemplateFailure(failure: TemplateFailure, setting: string, t: Translate): string {
  switch (failure.kind) {
    case 'notAUrl':
      return t('The value of "{0}" isn\'t a valid URL.', setting);
    case 'scheme':
      return t('The value of "{0}" must start with "https://", or with "http://" and a loopback address.', setting);
    case 'credentials':
      return t('The value of "{0}" can\'t contain a user name or password.', setting);
    case 'placeholderInHost':
      return t('The value of "{0}" can contain placeholders only in the path, query, and fragment.', setting);
    case 'noProgram':
      return t('The value of "{0}" must start with the name or path of a program.', setting);
    case 'placeholderInProgram':
      return t('The program in "{0}" can\'t contain placeholders.', setting);
    case 'relativeProgram':
      return t('The program in "{0}" must be an absolute path or a name in the PATH.', setting);
    case 'controlCharacter':
      return t('The value of "{0}" can\'t contain control characters.', setting);
    case 'unknownPlaceholder':
      return t(
        'The value of "{0}" contains the unknown placeholder {1}. The available placeholders are {2}.',
        setting,
        plainLine(failure.text, 60),
        '${sessionId}, ${messageId}, ${computerId}',
      );
    case 'missingId':
      return missingIdSentence(failure.name, setting, t);
    case 'unsafeId':
      return t('The ID for {0} contains characters that aren\'t safe in "{1}".', `\${${failure.name}}`, setting);
  }
}

function missingIdSentence(name: PlaceholderName, setting: string, t: Translate): string {
  switch (name) {
    case 'sessionId':
      return t('The value of "{0}" requires a session ID.', setting);
    case 'messageId':
      return t(
        'The value of "{0}" requires a message ID. Run the command on a message that the service lists.',
        setting,
      );
    case 'computerId':
      return t('The value of "{0}" requires a computer ID, but this session isn\'t connected to a computer.', setting);
  }
}
