import type { HttpResponse } from "@rookery/http";

/** Plain text, which no browser takes for anything else. */
export function textResponse(status: number, text: string): HttpResponse {
  return {
    status,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "x-content-type-options": "nosniff",
    },
    body: Buffer.from(text),
  };
}

export const notFound: HttpResponse = textResponse(404, "404 page not found\n");
