import { messageOf } from "@rookery/errors";
import {
  isRequestUri,
  type ParsedUrl,
  parseQuery,
  parseRequestUri,
  parseUrl,
  splitHostPort,
} from "../../net/url.ts";
import { objectType } from "../cel-type.ts";
import { CelError, NO_SUCH_OVERLOAD, Opaque, type Value } from "../values/value.ts";
import { ValueList } from "../values/value-list.ts";
import { ValueMap } from "../values/value-map.ts";
import { declareFunctions, type FunctionDeclaration } from "./declare.ts";

const URL_TYPE = objectType("kubernetes.URL");

class CelUrl extends Opaque {
  readonly type = URL_TYPE;
  readonly url: ParsedUrl;

  constructor(url: ParsedUrl) {
    super();
    this.url = url;
  }

  equals(other: Value): boolean | CelError {
    return other instanceof CelUrl ? this.url.text === other.url.text : NO_SUCH_OVERLOAD;
  }
}

function toUrl([text]: [string]): CelUrl | CelError {
  try {
    parseRequestUri(text);
    return new CelUrl(parseUrl(text));
  } catch (error) {
    const reason = messageOf(error);
    return new CelError(`URL parse error during conversion from string: ${reason}`);
  }
}

const part = (read: (url: ParsedUrl) => Value) => {
  return ([{ url }]: [CelUrl]): Value => read(url);
};

function queryOf({ query }: ParsedUrl): ValueMap {
  const entries = [...parseQuery(query)].map(
    ([key, values]) => [key, new ValueList(values)] as const,
  );
  return new ValueMap(entries);
}

/** Kubernetes' library of URLs. */
export const URL_FUNCTIONS: readonly FunctionDeclaration[] = declareFunctions(
  {
    url: { "string_to_url: (string) -> URL": toUrl },
    getScheme: { "url_get_scheme: URL.() -> string": part(({ scheme }) => scheme) },
    getHost: { "url_get_host: URL.() -> string": part(({ host }) => host) },
    getHostname: {
      "url_get_hostname: URL.() -> string": part(({ host }) => splitHostPort(host).hostname),
    },
    getPort: { "url_get_port: URL.() -> string": part(({ host }) => splitHostPort(host).port) },
    getEscapedPath: {
      "url_get_escaped_path: URL.() -> string": part(({ escapedPath }) => escapedPath),
    },
    getQuery: { "url_get_query: URL.() -> map(string, list(string))": part(queryOf) },
    isURL: { "is_url_string: (string) -> bool": ([text]: [string]) => isRequestUri(text) },
  },
  { URL: URL_TYPE },
);
