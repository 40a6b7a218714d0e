import type { HttpHeaders, HttpRequest } from "@rookery/http";

/**
 * What an authenticating proxy says about its user. An API server believes it of those whose certificate
 * says that they are such a proxy: if this proxy's own did, an app could be whoever it likes.
 */
const frontProxyHeader = /^x-remote-(?:user|uid|group|extra-.*)$/;
const impersonationHeader = /^impersonate-(?:user|uid|group|extra-.*)$/;

/** The request without headers of an authenticating proxy; the same where it has none. */
export function withoutFrontProxyHeaders(request: HttpRequest): HttpRequest {
  const names = Object.keys(request.headers);
  if (!names.some((name) => frontProxyHeader.test(name))) return request;
  return { ...request, headers: keep(request.headers, (name) => !frontProxyHeader.test(name)) };
}

/** Whether a request asks to act as somebody else. */
export function impersonates({ headers }: HttpRequest): boolean {
  return Object.keys(headers).some((name) => impersonationHeader.test(name));
}

/** A copy with the headers whose names pass. */
export function keep(headers: HttpHeaders, passes: (name: string) => boolean): HttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => passes(name)));
}
