import {
  type Handler,
  type HttpRequest,
  type HttpResponse,
  type Interceptor,
  upgradeProtocol,
} from "@rookery/http";
import { badRequestError } from "@rookery/kube";
import type { GroupMapping } from "../mapping/group-mapping.ts";
import { renameRequest } from "./rename-request.ts";
import { renameResponse } from "./rename-response.ts";
import { createRenaming, type RenameOptions, type Renaming } from "./renaming.ts";
import { type RequestTarget, targetOf } from "./request-target.ts";
import { refuse } from "./status-response.ts";

/**
 * Around a client or in a proxy, towards the API server: the app speaks of its virtual groups, the
 * server of the real ones. Undefined where the mapping is empty: no suffix, no interceptor.
 *
 * A path that names a real group is refused as one that is not there. What cannot be read is refused
 * too, with the Status of an API server; what turns out so after the answer has begun ends it with a
 * reset. Errors: InvalidRuleError.
 */
export function renameGroups(options: RenameOptions): Interceptor | undefined {
  if (options.mapping.pairs.length === 0) return undefined;
  const renaming = createRenaming(options);
  return (next) => (request) => exchange(request, next, renaming);
}

export async function exchange(
  request: HttpRequest,
  next: Handler,
  renaming: Renaming,
): Promise<HttpResponse> {
  const prepared = await prepare(request, renaming).catch((error) => refuse(request, error));
  if ("status" in prepared) return prepared;
  const { about, renamed, warnings } = prepared;
  const answer = await next(renamed);
  const isOpaque = about.shape === "other" && !isStatus(answer, about, renaming.mapping);
  return isOpaque ? answer : withWarnings(await renameResponse(answer, about, renaming), warnings);
}

function withWarnings(answer: HttpResponse, warnings: readonly string[]): HttpResponse {
  if (warnings.length === 0) return answer;
  const { warning = [] } = answer.headers;
  return { ...answer, headers: { ...answer.headers, warning: [warning, warnings].flat() } };
}

/** Rejects with a StatusError. */
async function prepare(request: HttpRequest, renaming: Renaming) {
  const about = targetOf(request, renaming.mapping);
  if (about.shape === "other")
    return { about, renamed: { ...request, path: about.path }, warnings: [] };
  refuseUpgrade(request, about);
  return { about, ...(await renameRequest(request, about, renaming)) };
}

/** A watch over WebSocket could not be renamed. Connections to objects are not renamed. */
function refuseUpgrade({ headers }: HttpRequest, { target, isWatch }: RequestTarget): void {
  if (upgradeProtocol(headers) === undefined) return;
  if (target?.subresource !== undefined && !isWatch) return;
  throw badRequestError(
    "could not switch the protocol: groups are renamed in plain answers alone; ask without the header Upgrade",
  );
}

/**
 * Whether the API server itself answers in place of a tunnel. Behind "proxy" any server may
 * answer, except for mapped groups, whose custom resources have no proxy.
 */
function isStatus(
  { status }: HttpResponse,
  { target }: RequestTarget,
  mapping: GroupMapping,
): boolean {
  if (status < 400 || target?.subresource === undefined) return false;
  return target.subresource !== "proxy" || mapping.toReal(target.group) !== undefined;
}
