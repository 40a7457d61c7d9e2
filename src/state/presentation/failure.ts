import type { ServiceUrlProblem } from '../../api/serviceUrl.ts';
import type { Failure } from '../store/failure.ts';
import { type Translate, plainLine } from '../../shared/text.ts';

/**
 * Describes a failure in one sentence, followed by the service's own message if it sent one. The caller adds a sentence
 * about saved data, which depends on the operation. `computerId` is the computer named in the request: an unknown
 * computer results in status 404, just like an unknown session (spec 4.1, 4.4).
 */
export function describeFailure(failure: Failure, t: Translate, computerId?: string): string {
  const sentence = sentenceFor(failure, t, computerId);
  const detail = failure.detail === undefined ? '' : plainLine(failure.detail, 300);
  return detail === '' ? sentence : `${sentence} ${t('The service responded: {0}', detail)}`;
}

function sentenceFor(failure: Failure, t: Translate, computerId: string | undefined): string {
  switch (failure.kind) {
    case 'unreachable':
      return failure.code === undefined
        ? t("Can't reach the service.")
        : t("Can't reach the service ({0}).", plainLine(failure.code, 40));
    case 'proxy':
      return t('The proxy blocked the request. Check your proxy settings.');
    case 'certificate':
      return t("The service's certificate isn't trusted. Nothing was sent.");
    case 'deadline':
      return t("The service didn't respond in time.");
    case 'cancelled':
      return t('The request was canceled.');
    case 'redirect':
      return t(
        "The service redirected the request to {0}. Lineside doesn't follow redirects. Check the base URL.",
        plainLine(failure.redirectOrigin ?? '?', 100),
      );
    case 'status':
      return statusSentence(failure, t, computerId);
    case 'notJson':
      return t("The response isn't JSON. Check that the base URL points to a Sessions API.");
    case 'wrongShape':
      return t('Unexpected response. Check that the base URL points to a Sessions API.');
    case 'tooLarge':
      return t('The response is too large to load.');
    case 'invalidRequest':
      return t("Couldn't create the request.");
    case 'disk':
      return diskSentence(failure, t);
    case 'unexpected':
      return t('An unexpected error occurred. See the log for details.');
  }
}

/** `code` is the system's error code, or one of ours for a file that is damaged or of a newer version. */
function diskSentence({ code }: Failure, t: Translate): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return t('The disk is full. Free up some space and try again.');
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return t("Lineside's data folder is read-only. Make it writable and try again.");
    case 'ENEWER':
      return t('A newer version of Lineside saved this. Update Lineside to change it.');
    case 'EDAMAGED':
      return t('The file of this message was damaged. Some of the message might be missing.');
    case 'ELOST':
      return t('The file of this message was removed or damaged while it was waiting.');
    case undefined:
      return t("Lineside couldn't read or write its data.");
    default:
      return t("Lineside couldn't read or write its data ({0}).", plainLine(code, 40));
  }
}

function statusSentence(failure: Failure, t: Translate, computerId: string | undefined): string {
  switch (failure.status) {
    case 400:
    case 422:
      return t('The service rejected the request ({0}).', failure.status);
    case 401:
      return t('Your API key was rejected.');
    case 403:
      return t("Your API key doesn't have permission to do that.");
    case 404:
      return computerId === undefined
        ? t("This session wasn't found on the service.")
        : t('This session or the computer "{0}" wasn\'t found on the service.', plainLine(computerId, 80));
    case 413:
      return t('The request is larger than the service allows.');
    case 429:
      return rateLimitSentence(failure, t);
    default:
      return t('The service returned an error ({0}).', failure.status ?? '?');
  }
}

/** Gives a long pause as a time of day, because the sentence isn't updated while the pause lasts (R43). */
function rateLimitSentence({ retryAfterMs, at }: Failure, t: Translate): string {
  if (retryAfterMs === undefined) return t('Too many requests.');
  if (retryAfterMs > 60_000) {
    const until = new Date(at + retryAfterMs).toLocaleTimeString(undefined, { timeStyle: 'short' });
    return t('Too many requests. The service asks to wait until {0}.', until);
  }
  const seconds = Math.ceil(retryAfterMs / 1000);
  return seconds === 1
    ? t('Too many requests. Retrying in 1 second.')
    : t('Too many requests. Retrying in {0} seconds.', seconds);
}

/** Explains why a configured service can't be used, and how to fix it. */
export function describeUnusableService(problem: ServiceUrlProblem | 'sameOrigin', t: Translate): string {
  return problem === 'sameOrigin'
    ? t('Another service already uses this host. Add each host only once.')
    : describeServiceUrlProblem(problem, t);
}

/** Explains why the entered text is not a valid base URL, and how to fix it. */
export function describeServiceUrlProblem(problem: ServiceUrlProblem, t: Translate): string {
  switch (problem) {
    case 'empty':
      return t('Enter the base URL of the service, for example https://api.example.com.');
    case 'notAUrl':
      return t("This isn't a valid URL. Enter a URL such as https://api.example.com.");
    case 'wrongScheme':
      return t('The base URL must start with https://.');
    case 'insecure':
      return t('http:// is only allowed for localhost because it would send the API key unencrypted. Use https://.');
    case 'credentials':
      return t("The base URL can't contain a user name or password. Enter the API key in the next step.");
    case 'queryOrFragment':
      return t('The base URL can\'t contain "?" or "#".');
  }
}
