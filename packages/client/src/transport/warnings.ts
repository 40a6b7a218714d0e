import type { HttpHeaders, Interceptor } from "@rookery/http";

/** Warnings may contain names, so their number is unlimited. */
const remembered = 1_000;

/** Reports each warning of the server (Warning: 299) once. */
export function reportWarnings(onWarning: (text: string) => void): Interceptor {
  const seen = new Set<string>();
  return (next) => async (request) => {
    const response = await next(request);
    if (response.headers.warning === undefined) return response;
    for (const text of warningsOf(response.headers)) {
      if (seen.has(text)) continue;
      if (seen.size >= remembered) seen.clear();
      seen.add(text);
      onWarning(text);
    }
    return response;
  };
}

/** `299 - "text"`, several in one header or in several. */
function warningsOf({ warning }: HttpHeaders): readonly string[] {
  const lines = typeof warning === "string" ? [warning] : (warning ?? []);
  const found = lines.join(",").matchAll(/(\d{3}) [^ ]+ "((?:[^"\\]|\\.)*)"/g);
  return [...found]
    .filter(([, code]) => code === "299")
    .map(([, , text = ""]) => text.replaceAll(/\\(.)/g, "$1"))
    .filter((text) => text !== "");
}
