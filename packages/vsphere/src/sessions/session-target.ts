import { createHash } from "node:crypto";
import type { VCenterOptions } from "../vim/connect.ts";
import type { Credentials } from "../vim/session.ts";

/** The server, the account, and how to verify the server. */
export interface SessionTarget
  extends Credentials,
    Pick<VCenterOptions, "server" | "ca" | "thumbprint" | "allowsAddress"> {}

/**
 * The key of sessions that may be shared: the server, the user, and all that must be equal for users of one session.
 * So a session of an old password is not used after the password changed.
 */
export function sessionKey(target: SessionTarget): string {
  const { server, username, password, ca = "", thumbprint = "" } = target;
  const secret = createHash("sha256").update(password).digest("hex");
  const trust = createHash("sha256").update(ca).digest("hex");
  const isRuled = target.allowsAddress !== undefined;
  return JSON.stringify([server, username, secret, trust, thumbprint, isRuled]);
}
