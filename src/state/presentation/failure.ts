import type { ServiceUrlProblem } from '../../api/serviceUrl.ts';
import type { Failure } from '../store/failure.ts';
import { type Translate, plainLine } from '../../shared/text.ts';

/**
 * What went wrong in one sentence for people, with the service's own words behind it where it gave some. It says nothing
 * of what was kept: that depends on what was being done, and the caller adds it. `computerId` is the computer the request
 * named, which the service may not know either (spec 4.1, 4.4; what it says of that is not shown).
 */
export function describeProblem(problem: Failure, t: Translate, computerId?: string): string {
  const sentence = sentenceFor(problem, t, computerId);
  const detail = problem.detail === undefined ? '' : plainLine(problem.detail, 300);
  return detail === '' ? sentence : `${sentence} ${t('The service says: {0}', detail)}`;
}

function sentenceFor(problem: Failure, t: Translate, computerId: string | undefined): string {
  switch (problem.kind) {
    case 'unreachable':
      return problem.code === undefined
        ? t('The service cannot be reached.')
        : t('The service cannot be reached ({0}).', plainLine(problem.code, 40));
    case 'proxy':
      return t('The proxy did not let the request through. Check the setting "http.proxy".');
    case 'certificate':
      return t("The service's certificate is not trusted, so nothing was sent.");
    case 'deadline':
      return t('The service did not answer in time.');
    case 'cancelled':
      return t('The request was cancelled.');
    case 'redirect':
      return t(
        'The service redirects to {0}, which is not followed. Check the base URL.',
        plainLine(problem.redirectOrigin ?? '?', 100),
      );
    case 'status':
      return statusSentence(problem, t, computerId);
    case 'notJson':
      return t('The answer is not JSON: this may not be the Sessions API. Check the base URL.');
    case 'wrongShape':
      return t('The answer does not have the shape of the Sessions API.');
    case 'tooLarge':
      return t('The answer is too large and was not read.');
    case 'invalidRequest':
      return t('The request could not be made.');
    case 'disk':
      return t('A file of Lineside could not be written or read.');
    case 'unexpected':
      return t('Something unexpected happened; the log has the details.');
  }
}

function statusSentence(problem: Failure, t: Translate, computerId: string | undefined): string {
  switch (problem.status) {
    case 400:
    case 422:
      return t('The service did not accept the request ({0}).', problem.status);
    case 401:
      return t('The service refused the API key.');
    case 403:
      return t('This API key is not allowed to do that.');
    case 404:
      return computerId === undefined
        ? t('The service does not know this session.')
        : t('The service does not know this session, or not the computer "{0}".', plainLine(computerId, 80));
    case 413:
      return t('This is too large for the service.');
    case 429:
      return problem.retryAfterMs === undefined
        ? t('The service asks for fewer requests.')
        : t('The service asks for fewer requests, and to wait {0} s.', Math.ceil(problem.retryAfterMs / 1000));
    default:
      return t('The service answered with an error ({0}).', problem.status ?? '?');
  }
}

/** Why an entry of the setting that names services cannot be used, and what to do. */
export function describeUnusableService(problem: ServiceUrlProblem | 'sameOrigin', t: Translate): string {
  return problem === 'sameOrigin'
    ? t('Another service has the same host. There is one service for each host, since the API key belongs to it.')
    : describeServiceUrlProblem(problem, t);
}

/** Why a text is no base URL, in one sentence that says what would be one. */
export function describeServiceUrlProblem(problem: ServiceUrlProblem, t: Translate): string {
  switch (problem) {
    case 'empty':
      return t('Enter the base URL of the service, for example https://api.example.com.');
    case 'notAUrl':
      return t('This is not a URL. Enter one like https://api.example.com.');
    case 'wrongScheme':
      return t('The base URL has to begin with https://.');
    case 'insecure':
      return t(
        'http:// is possible for this machine only (localhost); it would send the API key unprotected. Use https://.',
      );
    case 'credentials':
      return t('The base URL must not hold a user name or password. The API key is asked for next.');
    case 'queryOrFragment':
      return t('The base URL must end before any "?" or "#".');
  }
}
