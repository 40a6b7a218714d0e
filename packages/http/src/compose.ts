import type { Handler, Interceptor } from "./message.ts";

/**
 * Puts interceptors around a handler, the first outermost. Without interceptors the result is the
 * handler itself.
 */
export function compose(handler: Handler, ...interceptors: readonly Interceptor[]): Handler {
  return interceptors.reduceRight((next, interceptor) => interceptor(next), handler);
}
