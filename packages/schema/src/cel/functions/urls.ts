import { messageOf } from "@rookery/errors";
import {
  isRequestUri,
  type ParsedUrl,
  parseQuery,
  parseRequestUri,
  parseUrl,
  splitHostPort,
} from "../../net/url.ts";
import { BOOL, listOf, mapOf, objectType, STRING } from "../cel-type.ts";
import { CelError, NO_SUCH_OVERLOAD } from "../values/cel-error.ts";
import { Opaque } from "../values/opaque.ts";
import type { Value } from "../values/value.ts";
import { ValueList } from "../values/value-list.ts";
import { ValueMap } from "../values/value-map.ts";
import { type FunctionDeclaration, member, overload } from "./declare.ts";

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

function toUrl(text: string): CelUrl | CelError {
  try {
    parseRequestUri(text);
    return new CelUrl(parseUrl(text));
  } catch (error) {
    const reason = messageOf(error);
    return new CelError(`URL parse error during conversion from string: ${reason}`);
  }
}

function part(name: string, id: string, read: (url: ParsedUrl) => string): FunctionDeclaration {
  const call = ([value]: readonly Value[]): Value => read((value as CelUrl).url);
  return { name, overloads: [member([id, [URL_TYPE], STRING], call)] };
}

function queryOf({ query }: ParsedUrl): ValueMap {
  const entries = [...parseQuery(query)].map(
    ([key, values]) => [key, new ValueList(values)] as const,
  );
  return new ValueMap(entries);
}

/** Kubernetes' library of URLs. */
export const URL_FUNCTIONS: readonly FunctionDeclaration[] = [
  {
    name: "url",
    overloads: [overload(["string_to_url", [STRING], URL_TYPE], ([text]) => toUrl(text as string))],
  },
  part("getScheme", "url_get_scheme", ({ scheme }) => scheme),
  part("getHost", "url_get_host", ({ host }) => host),
  part("getHostname", "url_get_hostname", ({ host }) => splitHostPort(host).hostname),
  part("getPort", "url_get_port", ({ host }) => splitHostPort(host).port),
  part("getEscapedPath", "url_get_escaped_path", ({ escapedPath }) => escapedPath),
  {
    name: "getQuery",
    overloads: [
      member(["url_get_query", [URL_TYPE], mapOf(STRING, listOf(STRING))], ([value]) =>
        queryOf((value as CelUrl).url),
      ),
    ],
  },
  {
    name: "isURL",
    overloads: [
      overload(["is_url_string", [STRING], BOOL], ([text]) => isRequestUri(text as string)),
    ],
  },
];
