import type { Authenticator, UserInfo } from "@rookery/apiserver";
import { systemUsers } from "@rookery/apiserver";
import { type Client, createClientOver } from "@rookery/client";
import { contextKey, type Handler } from "@rookery/http";
import { localVersion } from "./version.ts";

const loopbackKey = contextKey<UserInfo>("loopback user");

const apiServerUser: UserInfo = {
  name: "system:apiserver",
  groups: ["system:masters", systemUsers.authenticatedGroup],
};

/** Authenticates in-process requests: no socket can set a request's context. */
export const authenticateLoopback: Authenticator = (request) => request.context.get(loopbackKey);

/** The server's own client: as an administrator, in-process. */
export function createLoopbackClient(handler: Handler): Client {
  return createClientOver((request) =>
    handler({
      ...request,
      // The default user agent, which managedFields show.
      headers: { "user-agent": `kube-apiserver/${localVersion.gitVersion}`, ...request.headers },
      context: request.context.with(loopbackKey, apiServerUser),
    }),
  );
}
