import type { ServiceUrlFailure } from '../../api/serviceUrl.ts';
import type { Failure } from '../store/failure.ts';
import { type Translate, plainLine } from '../../shared/text.ts';

/**
 * Describes a failure in a few sentences, followed by the service's own explanation if that says more. The caller adds
 * a sentence about saved data, which depends on the operation. `computerId` is the computer named in the request (spec
 * 4.1, 4.4). Status 404 can mean that the service doesn't know this computer, or that it doesn't know the session.
 */
export function describeFailure(failure: Failure, t: Translate, computerId?: string): string {
  const sentence = [sentenceFor(failure, t, computerId), ...routeHint(failure, t)].join(' ');
  const detail = failure.detail === undefined ? '' : plainLine(failure.detail, 300);
  if (detail === '' || isEcho(detail, failure.status)) return sentence;
  return `${sentence} ${t('The service responded: {0}', endSentence(detail))}`;
}

/** Explanations of a service that say no more than our sentence for the status does. */
const echoes: Readonly<Record<number, RegExp>> = {
  400: /^bad request$/i,
  401: /^(?:unauthorized|(?:(?:invalid|expired|invalid or expired) )?api key(?: rejected)?)$/i,
  403: /^forbidden$/i,
  404: /^(?:session )?not found$/i,
  413: /^(?:payload|content|request entity) too large$/i,
  429: /^(?:too many requests|rate limit exceeded)$/i,
  500: /^internal (?:server )?error$/i,
  502: /^bad gateway$/i,
  503: /^service unavailable$/i,
  504: /^gateway time-?out$/i,
};

function isEcho(detail: string, status: number | undefined): boolean {
  const words = detail.replace(/[.!]$/, '');
  return status !== undefined && echoes[status]?.test(words) === true;
}

/** Ends a text of a service like a sentence, because another sentence may follow. */
function endSentence(text: string): string {
  return /[\p{Sentence_Terminal}\u2026][\p{Quotation_Mark}\p{Close_Punctuation}]*$/u.test(text) ? text : `${text}.`;
}

function sentenceFor(failure: Failure, t: Translate, computerId: string | undefined): string {
  switch (failure.kind) {
    case 'unreachable':
      return t("Can't reach the service.");
    case 'proxy':
      return proxySentence(failure, t);
    case 'certificate':
      return certificateSentence(failure, t);
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

function proxySentence({ reason, proxy, code }: Failure, t: Translate): string {
  switch (reason) {
    case 'proxyUnreachable':
      return proxy === undefined
        ? t("Can't reach the proxy. Check your proxy settings.")
        : t("Can't reach the proxy {0}. Check your proxy settings.", plainLine(proxy, 100));
    case 'proxyLogin':
      return t('The proxy requires authentication. Retry, and sign in when VS Code asks for your proxy credentials.');
    default:
      return code === undefined
        ? t('The proxy rejected the connection. Check your proxy settings.')
        : t('The proxy rejected the connection ({0}). Check your proxy settings.', plainLine(code, 40));
  }
}

function certificateSentence({ reason, code }: Failure, t: Translate): string {
  switch (reason) {
    case 'expired':
      return t("The service's certificate has expired, or this computer's clock is wrong. Nothing was sent.");
    case 'wrongHost':
      return t("The service's certificate is for a different host. Nothing was sent. Check the base URL.");
    case 'unknownAuthority':
      return t(
        "The service's certificate was issued by an unknown authority. Nothing was sent. If your organization has its own certificate authority, add its certificate to the operating system's trusted certificates.",
      );
    default:
      return code === undefined
        ? t("Couldn't establish a secure connection to the service.")
        : t("Couldn't establish a secure connection to the service ({0}).", plainLine(code, 40));
  }
}

/** Names the setting if it excludes a route that might work. */
function routeHint({ kind, reason, fixedRoute }: Failure, t: Translate): string[] {
  const mayTrustMore = reason === 'unknownAuthority';
  if (fixedRoute === 'direct' && (kind === 'unreachable' || mayTrustMore)) {
    return [t('To also use the proxy and certificates of VS Code, set "lineside.network.route" to "auto".')];
  }
  if (fixedRoute === 'editor' && (kind === 'proxy' || mayTrustMore)) {
    return [t('To also try a direct connection, set "lineside.network.route" to "auto".')];
  }
  return [];
}

/** `code` is the system's error code, or one of ours for a file that is damaged, lost, or of a newer version. */
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
      return t('A newer version of Lineside saved this data. Update Lineside to change it.');
    case 'EDAMAGED':
      return t("This message's file on disk was damaged. Part of the message might be missing.");
    case 'ELOST':
      return t("This message's file on disk was removed or damaged. Another window may have sent the message.");
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

/** The longest pause that is stated in seconds. */
const longestCountedMs = 60_000;

/**
 * The failure, without its pause if the sentence about it would state the pause in seconds. For places that count the
 * seconds down, or where nothing is retried.
 */
export function withoutCountedPause(failure: Failure): Failure {
  return (failure.retryAfterMs ?? 0) > longestCountedMs ? failure : { ...failure, retryAfterMs: undefined };
}

/** Gives a long pause as a time of day, because the sentence isn't updated while the pause lasts. */
function rateLimitSentence({ retryAfterMs, at }: Failure, t: Translate): string {
  if (retryAfterMs === undefined) return t('Too many requests.');
  if (retryAfterMs > longestCountedMs) {
    const until = t.formats.time(at + retryAfterMs);
    return t('Too many requests. The service asks to wait until {0}.', until);
  }
  const seconds = Math.ceil(retryAfterMs / 1000);
  return t(
    {
      one: 'Too many requests. Retrying in 1 second.',
      other: 'Too many requests. Retrying in {0} seconds.',
    },
    seconds,
  );
}

/** Explains why a configured service can't be used, and how to fix it. */
export function describeUnusableService(failure: ServiceUrlFailure | 'sameOrigin', t: Translate): string {
  return failure === 'sameOrigin'
    ? t('Another service already uses this host. Add each host only once.')
    : describeServiceUrlFailure(failure, t);
}

/** Explains why the entered text isn't a valid base URL, and how to fix it. */
export function describeServiceUrlFailure(failure: ServiceUrlFailure, t: Translate): string {
  switch (failure) {
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
