import { UnexpectedAnswerError } from "../errors.ts";
import type { VCenter } from "./connect.ts";
import { retrieveProperties } from "./properties.ts";
import { childrenOf, textAt, type XmlNode } from "./xml-reader.ts";
import { value } from "./xml-writer.ts";

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export interface UserSession {
  readonly key: string;
  readonly userName: string;
}

/** Errors: VimFaultError InvalidLogin. */
export async function login(
  vcenter: VCenter,
  { username, password }: Credentials,
  signal?: AbortSignal,
): Promise<UserSession> {
  const session = await vcenter.call({
    method: "Login",
    self: vcenter.content.sessionManager,
    args: [value("userName", username), value("password", password)],
    ...(signal && { signal }),
  });
  return sessionOf(session);
}

/** The session that calls are made in; undefined where the vCenter has ended it. */
export async function currentSession(
  vcenter: VCenter,
  signal?: AbortSignal,
): Promise<UserSession | undefined> {
  const paths = ["currentSession"];
  const { sessionManager } = vcenter.content;
  const [manager] = await retrieveProperties(vcenter, [sessionManager], { paths, signal });
  const session = manager?.properties.get("currentSession");
  return session === undefined ? undefined : sessionOf(session);
}

/** All sessions of the vCenter: needs the privilege to see them. */
export async function listSessions(vcenter: VCenter): Promise<UserSession[]> {
  const paths = ["sessionList"];
  const { sessionManager } = vcenter.content;
  const [manager] = await retrieveProperties(vcenter, [sessionManager], { paths });
  return childrenOf(manager?.properties.get("sessionList"), "UserSession").map(sessionOf);
}

/** Ends the session that calls are made in. */
export async function logout(vcenter: VCenter, signal?: AbortSignal): Promise<void> {
  const self = vcenter.content.sessionManager;
  await vcenter.call({ method: "Logout", self, ...(signal && { signal }) });
}

/** Ends sessions of others. */
export async function terminateSessions(vcenter: VCenter, keys: readonly string[]): Promise<void> {
  const self = vcenter.content.sessionManager;
  const args = keys.map((key) => value("sessionId", key));
  await vcenter.call({ method: "TerminateSession", self, args });
}

function sessionOf(node: XmlNode | undefined): UserSession {
  const key = textAt(node, "key");
  const userName = textAt(node, "userName");
  if (key && userName !== undefined) return { key, userName };
  throw new UnexpectedAnswerError("Login", "it has no session");
}
