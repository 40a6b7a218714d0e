import {
  discardBody,
  type HttpRequest,
  type HttpResponse,
  type Interceptor,
  untilAborted,
} from "@rookery/http";
import type { Credential, CredentialSource } from "../credentials/credential.ts";

export interface AuthenticationOptions {
  readonly source: CredentialSource;
  /** Called when the certificate changes. */
  readonly onCertificate: (certificate: NonNullable<Credential["certificate"]>) => void;
}

/** Adds credentials to requests without any. After a 401, renews them and retries once. */
export function authenticate({ source, onCertificate }: AuthenticationOptions): Interceptor {
  let inUse: Credential["certificate"];
  const withCredential = (request: HttpRequest, credential: Credential): HttpRequest => {
    const { authorization, certificate } = credential;
    if (certificate && (certificate.cert !== inUse?.cert || certificate.key !== inUse.key)) {
      inUse = certificate;
      onCertificate(certificate);
    }
    if (authorization === undefined) return request;
    return { ...request, headers: { ...request.headers, authorization } };
  };
  return (next) => async (request) => {
    if (request.headers.authorization !== undefined) return next(request);
    const credential = await unlessAborted(source.get(), request.signal);
    const response = await next(withCredential(request, credential));
    if (response.status !== 401 || typeof request.body === "function") return response;
    const renewed = await renewedAfter(response, { source, credential, signal: request.signal });
    if (renewed === undefined) return response;
    await discardBody(response.body);
    return next(withCredential(request, renewed));
  };
}

interface Renewal {
  readonly source: CredentialSource;
  readonly credential: Credential;
  readonly signal: AbortSignal;
}

async function renewedAfter(
  response: HttpResponse,
  { source, credential, signal }: Renewal,
): Promise<Credential | undefined> {
  try {
    return await unlessAborted(source.renew(credential), signal);
  } catch (error) {
    await discardBody(response.body);
    throw error;
  }
}

/** Getting a credential may take as long as its user's login; an aborted request does not wait. */
function unlessAborted<T>(value: T | Promise<T>, signal: AbortSignal): T | Promise<T> {
  return value instanceof Promise ? untilAborted(signal, () => value) : value;
}
