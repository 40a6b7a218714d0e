import { UnexpectedAnswerError } from "../errors.ts";
import type { VCenter } from "./connect.ts";
import { readProperties } from "./properties.ts";
import { textAt, type XmlNode } from "./xml-reader.ts";
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
    signal,
  });
  return sessionOf(session);
}

/** The session of the calls; undefined if the vCenter has ended it. */
export async function currentSession(
  vcenter: VCenter,
  signal?: AbortSignal,
): Promise<UserSession | undefined> {
  const { sessionManager } = vcenter.content;
  const properties = await readProperties(vcenter, sessionManager, ["currentSession"], signal);
  const session = properties.get("currentSession");
  return session === undefined ? undefined : sessionOf(session);
}

/** Ends the session of the calls. */
export async function logout(vcenter: VCenter, signal?: AbortSignal): Promise<void> {
  const self = vcenter.content.sessionManager;
  await vcenter.call({ method: "Logout", self, signal });
}

export function sessionOf(node: XmlNode | undefined): UserSession {
  const key = textAt(node, "key");
  const userName = textAt(node, "userName");
  if (key && userName !== undefined) return { key, userName };
  throw new UnexpectedAnswerError("Login", "it has no session");
}
