import type { Interceptor } from "@rookery/http";
import { withoutFrontProxyHeaders } from "./untrusted-headers.ts";

/**
 * The API server sees the app: its token passes, and so does whom it asks to act as, which the API
 * server allows by the app's own rights.
 */
export function passAppIdentity(): Interceptor {
  return (next) => (request) => next(withoutFrontProxyHeaders(request));
}
