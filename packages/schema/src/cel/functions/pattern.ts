import { RE2JS } from "re2js";
import { CelError } from "../values/cel-error.ts";

const MAX_CACHED = 256;
const cache = new Map<string, RE2JS>();

/** Compiles a pattern in the syntax of RE2; what was compiled lately is kept. */
export function compilePattern(pattern: string): RE2JS | CelError {
  const cached = cache.get(pattern);
  if (cached) return cached;
  try {
    const compiled = RE2JS.compile(pattern);
    const oldest = cache.keys().next().value;
    if (cache.size >= MAX_CACHED && oldest !== undefined) cache.delete(oldest);
    cache.set(pattern, compiled);
    return compiled;
  } catch (error) {
    return new CelError(error instanceof Error ? error.message : String(error));
  }
}
