import { createHash } from "node:crypto";
import type { VCenterOptions } from "../vim/connect.ts";
import type { Credentials } from "../vim/session.ts";

/** Where to log in, as whom, and how to know that it is the right server. */
export interface SessionTarget
  extends Credentials,
    Pick<VCenterOptions, "server" | "ca" | "thumbprint" | "allowsAddress"> {}

/**
 * What sessions may be shared by: server and user, and beside them all that must not differ for
 * those who share one. A password that is changed is therefore never used in its old session.
 */
export function sessionKey(target: SessionTarget): string {
  const { server, username, password, ca = "", thumbprint = "" } = target;
  const secret = createHash("sha256").update(password).digest("hex");
  const trust = createHash("sha256").update(ca).digest("hex");
  const isRuled = target.allowsAddress !== undefined;
  return JSON.stringify([server, username, secret, trust, thumbprint, isRuled]);
}
