import { joinPath } from "./proxied-path.ts";

/** The address that a client used, as far as answers have to be led back to it. */
export interface ProxiedAddress {
  /** The path before what is the server's own. */
  readonly prefix: string;
  /** Of the server behind. */
  readonly host: string;
  /** That the client asked for. */
  readonly requestHost: string;
}

/** Leads an address of the server behind through the proxy; those of others stay as they are. */
export function rewriteLocation(location: string, at: ProxiedAddress): string {
  const [, scheme = "", host = "", path = "", rest = ""] =
    /^([a-z][a-z0-9+.-]*:)?(?:\/\/([^/?#]*))?([^?#]*)(.*)$/is.exec(location) ?? [];
  const isOther = host !== "" && host !== at.host && host !== at.requestHost;
  if (isOther || !path.startsWith("/")) return location;
  const origin = host === at.requestHost && host !== "" ? `${scheme}//${host}` : "";
  if (path.startsWith(at.prefix)) return `${origin}${path}${rest}`;
  const joined = joinPath(at.prefix, path);
  const whole = path.endsWith("/") && !joined.endsWith("/") ? `${joined}/` : joined;
  return `${origin}${whole}${rest}`;
}
