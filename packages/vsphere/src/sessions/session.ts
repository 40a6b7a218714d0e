import { createHash } from "node:crypto";
import type { MonotonicClock, Request } from "@rookery/runtime";
import type { ResolvedIdentity } from "../credentials/resolve-identity.ts";
import { isFault } from "../errors.ts";
import { RestSession } from "../rest/rest-session.ts";
import { connectVCenter, type VCenter, type VCenterOptions } from "../vim/connect.ts";
import { PropertyStream } from "../vim/property-stream.ts";
import { type Credentials, currentSession, login, logout } from "../vim/session.ts";

/** The server, the account, and how to verify the server. */
export interface SessionTarget
  extends Credentials,
    Pick<VCenterOptions, "server" | "ca" | "thumbprint" | "allowsAddress"> {}

/**
 * The key of sessions that may be shared: the server, the user, and everything else that the users of one session have
 * in common. A session of an old password is not used after a change of the password.
 */
export function sessionKey(target: SessionTarget): string {
  const { server, username, password, ca = "", thumbprint = "" } = target;
  const secret = createHash("sha256").update(password).digest("hex");
  const trust = createHash("sha256").update(ca).digest("hex");
  const isRuled = target.allowsAddress !== undefined;
  return JSON.stringify([server, username, secret, trust, thumbprint, isRuled]);
}

/** The metrics of sessions. */
export interface SessionMetrics {
  /** The number of open sessions on a server has changed. */
  open(server: string, count: number): void;
  loggedIn(): void;
  /** A login failed; a login that is delayed does not count. */
  loginFailed(error: unknown): void;
}

export const noSessionMetrics: SessionMetrics = {
  open: () => {},
  loggedIn: () => {},
  loginFailed: () => {},
};

/** The target of an identity. A thumbprint has precedence over the authorities: it identifies one certificate. */
export function sessionTarget(
  { credentials, use }: Pick<ResolvedIdentity, "credentials" | "use">,
  { thumbprint, ca }: { readonly thumbprint: string | undefined; readonly ca: string | undefined },
): SessionTarget {
  const { server, allowsAddress } = use;
  return {
    server,
    ...credentials,
    ...(thumbprint && { thumbprint }),
    ...(!thumbprint && ca && { ca }),
    ...(allowsAddress && { allowsAddress }),
  };
}

/** The name of the user of a session, such as "VSphereCluster/default/a". */
export function holderOf(
  kind: "VSphereCluster" | "VSphereVM",
  { namespace, name }: Request,
): string {
  return `${kind}/${namespace}/${name}`;
}

/** A login on a vCenter, shared by all users of the account. */
export interface Session {
  readonly vcenter: VCenter;
  /** Shared as well: one open call for all watches. */
  readonly stream: PropertyStream;
  /** Shared as well: a second session on the vCenter, opened with the first request. */
  readonly rest: Pick<RestSession, "post">;
}

/** Errors: what `connectVCenter` and `login` throw. */
export async function openSession(
  target: SessionTarget,
  clock: MonotonicClock,
  signal: AbortSignal,
): Promise<OpenSession> {
  const vcenter = await connectVCenter(target, signal);
  try {
    await login(vcenter, target, signal);
    const rest = new RestSession(vcenter.handler, target);
    return new OpenSession(vcenter, rest, clock);
  } catch (error) {
    await vcenter.destroy();
    throw error;
  }
}

export class OpenSession implements Session {
  readonly vcenter: VCenter;
  readonly stream: PropertyStream;
  readonly rest: RestSession;
  readonly #clock: MonotonicClock;
  #checked: number;
  #checking: Promise<boolean> | undefined;

  constructor(vcenter: VCenter, rest: RestSession, clock: MonotonicClock) {
    this.vcenter = vcenter;
    this.rest = rest;
    this.stream = new PropertyStream(vcenter);
    this.#clock = clock;
    this.#checked = clock.now();
  }

  /** Whether the last check of the session is too old. */
  isStale(intervalMs: number): boolean {
    return this.#clock.now() - this.#checked >= intervalMs;
  }

  /** Whether the session is still open on the vCenter, with one call for all callers. */
  isAlive(): Promise<boolean> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #check(): Promise<boolean> {
    try {
      const alive = (await currentSession(this.vcenter)) !== undefined;
      if (alive) this.#checked = this.#clock.now();
      return alive;
    } catch (error) {
      if (isFault(error, "NotAuthenticated")) return false;
      throw error;
    }
  }

  /** Logs out. A failure is ignored: the vCenter ends idle sessions itself. */
  async close(signal?: AbortSignal): Promise<void> {
    await this.rest.close(signal);
    await logout(this.vcenter, signal).catch(() => {});
    await this.vcenter.destroy();
  }
}
