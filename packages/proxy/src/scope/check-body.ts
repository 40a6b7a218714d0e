import { messageOf } from "@rookery/errors";
import { protobufTexts } from "@rookery/group-suffix";
import { collectBody, type HttpRequest, headerValue } from "@rookery/http";
import {
  badRequestError,
  protobufMediaType,
  type RequestInfo,
  unsupportedMediaTypeError,
} from "@rookery/kube";
import { isEventOfCluster } from "./policies.ts";
import { newNamespace, outOfScope } from "./refusals.ts";
import type { Visibility } from "./visibility.ts";

/** Reviews and events are small. */
const maxBodyBytes = 3 * 1024 * 1024;

/** The place of a namespace in a body: keys in JSON, field numbers in Protobuf. */
interface Place {
  readonly keys: readonly string[];
  readonly numbers: readonly number[];
}

const ofAccess: Place = { keys: ["spec", "resourceAttributes", "namespace"], numbers: [2, 1, 1] };

const places: Readonly<Record<string, Place>> = {
  "authorization.k8s.io/subjectaccessreviews": ofAccess,
  "authorization.k8s.io/selfsubjectaccessreviews": ofAccess,
  "authorization.k8s.io/selfsubjectrulesreviews": { keys: ["spec", "namespace"], numbers: [2, 1] },
  "/namespaces": { keys: ["metadata", "name"], numbers: [1, 1] },
  "/events": { keys: ["involvedObject", "namespace"], numbers: [2, 2] },
  "events.k8s.io/events": { keys: ["regarding", "namespace"], numbers: [8, 2] },
};

/**
 * Checks that a body names no namespace beyond the scope: an access review, a new Namespace, or an
 * event of a cluster-scoped object. JSON is rewritten, so that the server reads what was checked.
 * Rejects with a StatusError.
 */
export async function checkBody(
  request: HttpRequest,
  info: RequestInfo,
  visibility: Visibility,
): Promise<HttpRequest> {
  const place = info.verb === "create" ? places[`${info.group}/${info.resource}`] : undefined;
  const isOfPath = info.namespace !== "" && !isEventOfCluster(info);
  if (place === undefined || isOfPath) return request;
  const bytes = Buffer.from(await collectBody(request.body, { limit: maxBodyBytes }));
  const { names, body } = read(bytes, request, place);
  checkNames(names, info, visibility);
  const { "content-length": _, ...headers } = request.headers;
  return { ...request, body, headers: { ...headers, "content-length": `${body.length}` } };
}

function checkNames(names: readonly string[], info: RequestInfo, visibility: Visibility): void {
  const asked = { info, scope: visibility.scope };
  if (isEventOfCluster(info) && !visibility.mayUse(info.namespace)) {
    if (names.some((name) => name !== "")) throw outOfScope(asked, info.namespace);
    return;
  }
  const foreign = names.find((name) => !visibility.mayUse(name));
  if (info.resource !== "namespaces") {
    if (foreign !== undefined) throw outOfScope(asked, foreign);
    return;
  }
  const made = names.length === 0 || names.includes("") ? "" : foreign;
  if (made !== undefined) throw newNamespace(asked, made);
}

interface Read {
  readonly names: readonly string[];
  readonly body: Buffer;
}

function read(bytes: Buffer, { headers }: HttpRequest, place: Place): Read {
  const [type = ""] = (headerValue(headers, "content-type") || "application/json").split(";");
  const essence = type.trim().toLowerCase();
  const isPlain = (headerValue(headers, "content-encoding") ?? "identity") === "identity";
  try {
    if (isPlain && essence === protobufMediaType) {
      return { names: protobufTexts(bytes, place.numbers), body: bytes };
    }
    if (isPlain && essence === "application/json") return readJson(bytes, place);
  } catch (error) {
    const why = messageOf(error);
    throw badRequestError(`could not read the body: ${why}`);
  }
  throw unsupportedMediaTypeError(["application/json", protobufMediaType]);
}

function readJson(bytes: Buffer, { keys }: Place): Read {
  const object: unknown = JSON.parse(bytes.toString());
  const name = keys.reduce(memberOf, object) ?? "";
  if (typeof name !== "string") throw new TypeError(`${keys.join(".")} is no text`);
  return { names: [name], body: Buffer.from(JSON.stringify(object)) };
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([name]) => name === key)?.[1];
}
