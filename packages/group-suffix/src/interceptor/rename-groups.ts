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

/** Sends a renamed request on and renames the answer. */
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

/** Rejects with a StatusError where the request is refused. */
async function prepare(request: HttpRequest, renaming: Renaming) {
  const about = targetOf(request, renaming.mapping);
  if (about.shape === "other")
    return { about, renamed: { ...request, path: about.path }, warnings: [] };
  refuseUpgrade(request, about);
  return { about, ...(await renameRequest(request, about, renaming)) };
}

/** A watch over WebSocket would pass as the server has it. What connects to an object is its own. */
function refuseUpgrade({ headers }: HttpRequest, { target, isWatch }: RequestTarget): void {
  if (upgradeProtocol(headers) === undefined) return;
  if (target?.subresource !== undefined && !isWatch) return;
  throw badRequestError(
    "could not switch the protocol: groups are renamed in plain answers alone; ask without the header Upgrade",
  );
}

/**
 * What the API server says itself in place of a tunnel. Who is behind "proxy" may say anything; but of a
 * mapped group, where custom resources have no such part, only the API server speaks.
 */
function isStatus(
  { status }: HttpResponse,
  { target }: RequestTarget,
  mapping: GroupMapping,
): boolean {
  if (status < 400 || target?.subresource === undefined) return false;
  return target.subresource !== "proxy" || mapping.toReal(target.group) !== undefined;
}
