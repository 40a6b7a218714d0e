import { createHash } from "node:crypto";
import type { MonotonicClock } from "@rookery/runtime";
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

/** Counts events of sessions. */
export interface SessionMetrics {
  /** How many are open on a server, whenever that changes. */
  open(server: string, count: number): void;
  loggedIn(): void;
  /** Why a login failed that was tried; one that is put off is none. */
  loginFailed(error: unknown): void;
}

export const noSessionMetrics: SessionMetrics = {
  open: () => {},
  loggedIn: () => {},
  loginFailed: () => {},
};

/** A login on a vCenter, shared by all who may use it. */
export interface Session {
  readonly vcenter: VCenter;
  /** Shared as well: one open call, however many wait for something. */
  readonly stream: PropertyStream;
  /** Shared as well; a second session on the vCenter, for those who need it. */
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

  /** Whether the vCenter was not asked for so long. */
  isStale(intervalMs: number): boolean {
    return this.#clock.now() - this.#checked >= intervalMs;
  }

  /** Whether the vCenter still knows it; asked once for all who want to know. */
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

  /** Logs out. What fails of it is of no interest: the vCenter ends idle sessions by itself. */
  async close(signal?: AbortSignal): Promise<void> {
    await this.rest.close(signal);
    await logout(this.vcenter, signal).catch(() => {});
    await this.vcenter.destroy();
  }
}
