import type { Authenticator, UserInfo } from "@rookery/apiserver";
import { systemUsers } from "@rookery/apiserver";
import { type Client, createClientOver } from "@rookery/client";
import { contextKey, type Handler } from "@rookery/http";
import { localVersion } from "./version.ts";

const loopbackKey = contextKey<UserInfo>("loopback user");

/** The server itself, as kube-apiserver calls it. */
const apiServerUser: UserInfo = {
  name: "system:apiserver",
  groups: ["system:masters", systemUsers.authenticatedGroup],
};

/** Knows requests that never left the process: no socket can put a user into a request's context. */
export const authenticateLoopback: Authenticator = (request) => request.context.get(loopbackKey);

/** The server's own client: as an administrator, without a socket. */
export function createLoopbackClient(handler: Handler): Client {
  return createClientOver((request) =>
    handler({
      ...request,
      // Who does not say otherwise is the server itself: managedFields tell it.
      headers: { "user-agent": `kube-apiserver/${localVersion.gitVersion}`, ...request.headers },
      context: request.context.with(loopbackKey, apiServerUser),
    }),
  );
}
