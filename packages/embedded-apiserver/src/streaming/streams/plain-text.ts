import type { HttpHeaders, HttpResponse } from "@rookery/http";

/** A refusal as Go's http.Error writes it. */
export function plainText(status: number, text: string, headers: HttpHeaders = {}): HttpResponse {
  const plain = {
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
  };
  return { status, headers: { ...plain, ...headers }, body: Buffer.from(`${text}\n`) };
}
