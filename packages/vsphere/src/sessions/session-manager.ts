import {
  CircuitBreakers,
  CircuitOpenError,
  type Logger,
  type MonotonicClock,
  silentLogger,
  systemClock,
} from "@rookery/runtime";
import { InvalidCredentialsError, isFault, SessionsClosedError } from "../errors.ts";
import { LoginBackOff } from "./login-back-off.ts";
import { isServerFailure } from "./server-failures.ts";
import {
  noSessionMetrics,
  type OpenSession,
  openSession,
  type Session,
  type SessionMetrics,
  type SessionTarget,
  sessionKey,
} from "./session.ts";
import { WorkLimit } from "./work-limit.ts";

export interface SessionManagerOptions {
  readonly clock?: MonotonicClock;
  readonly logger?: Logger;
  /** The time for which a session counts as alive without a check; 60 s by default. */
  readonly livenessMs?: number;
  readonly metrics?: SessionMetrics;
  /** The limit of one piece of work, in milliseconds; 90 s by default. */
  readonly workMs?: number;
}

/** The scope of the sessions of one reconcile. */
export interface SessionScope {
  /** The failures of a server count for its tenant alone. */
  readonly tenant: string;
  readonly signal: AbortSignal;
}

type Work<Result> = (session: Session) => Promise<Result>;

/** Sessions for one reconcile. */
export type ScopedSessions = Pick<SessionManager, "use" | "release">;

interface Entry {
  readonly target: SessionTarget;
  readonly opening: Promise<OpenSession>;
  /** Set when the session is open. */
  session?: OpenSession;
}

/** The user of a session. */
interface User {
  readonly holder: string;
  readonly target: SessionTarget;
  readonly signal: AbortSignal;
}

/** The limit of a logout. */
const logoutMs = 10_000;

/**
 * Logs in to vCenters, once for all users of an account, and logs out when the last user leaves or has other credentials.
 */
export class SessionManager implements AsyncDisposable {
  readonly #clock: MonotonicClock;
  readonly #logger: Logger;
  readonly #livenessMs: number;
  readonly #metrics: SessionMetrics;
  readonly #backOff: LoginBackOff;
  readonly #workMs: number;
  readonly #circuits: CircuitBreakers;
  readonly #entries = new Map<string, Entry>();
  /** The key of the session of each holder. */
  readonly #keys = new Map<string, string>();
  readonly #closing = new Set<Promise<void>>();
  readonly #stop = new AbortController();

  constructor(options: SessionManagerOptions = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#logger = (options.logger ?? silentLogger).withName("sessions");
    this.#livenessMs = options.livenessMs ?? 60_000;
    this.#metrics = options.metrics ?? noSessionMetrics;
    this.#backOff = new LoginBackOff(this.#clock);
    this.#workMs = options.workMs ?? 90_000;
    this.#circuits = new CircuitBreakers({ isFailure: isServerFailure, clock: this.#clock });
  }

  /**
   * The sessions of a reconcile. Calls end with its signal. A server that fails repeatedly gets no calls for some time:
   * from the tenant, whose spec may be the reason, and, if the login fails, from all users of the same credentials and
   * the same trust.
   */
  within(scope: SessionScope): ScopedSessions {
    return {
      use: (holder, target, work) => {
        const circuit = JSON.stringify([scope.tenant, target.server.toLowerCase()]);
        const tried = () => this.#work({ holder, target, signal: scope.signal }, work);
        return this.#circuits.run(circuit, target.server, tried);
      },
      release: (holder) => this.release(holder),
    };
  }

  /**
   * Does work in the session of a target, which `holder` keeps instead of its former session. If the vCenter has ended the
   * session, the work is done again in a new one. Errors: InvalidCredentialsError, and the errors of `connectVCenter` and
   * of the work.
   */
  use<Result>(holder: string, target: SessionTarget, work: Work<Result>): Promise<Result> {
    return this.within({ tenant: "", signal: this.#stop.signal }).use(holder, target, work);
  }

  async #work<Result>(user: User, work: Work<Result>): Promise<Result> {
    const { holder, target, signal } = user;
    const options = {
      server: target.server,
      milliseconds: this.#workMs,
      clock: this.#clock,
      signal,
    };
    using limit = new WorkLimit(options);
    const session = await limit.wait(this.#get(holder, target));
    try {
      return await work(limit.bind(session));
    } catch (error) {
      if (!isFault(error, "NotAuthenticated")) throw error;
      this.#drop(sessionKey(target), session);
      return work(limit.bind(await limit.wait(this.#get(holder, target))));
    }
  }

  /** The holder does not need its session any more. */
  release(holder: string): void {
    const key = this.#keys.get(holder);
    if (key === undefined) return;
    this.#keys.delete(holder);
    const entry = this.#entries.get(key);
    const isHeld = this.#keys.values().some((other) => other === key);
    if (entry && !isHeld) this.#end(key, entry);
  }

  /** Logs out everywhere. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new SessionsClosedError());
    for (const [key, entry] of this.#entries) this.#end(key, entry);
    this.#keys.clear();
    await Promise.all(this.#closing);
  }

  async #get(holder: string, target: SessionTarget): Promise<OpenSession> {
    this.#stop.signal.throwIfAborted();
    const key = sessionKey(target);
    if (this.#keys.get(holder) !== key) this.release(holder);
    this.#keys.set(holder, key);
    const entry = this.#entries.get(key) ?? this.#open(key, target);
    const session = await entry.opening;
    if (!session.isStale(this.#livenessMs)) return session;
    const isAlive = await this.#circuits.run(key, target.server, () => session.isAlive());
    if (isAlive) return session;
    this.#drop(key, session);
    return this.#get(holder, target);
  }

  #open(key: string, target: SessionTarget): Entry {
    const entry: Entry = { target, opening: this.#logIn(key, target) };
    this.#entries.set(key, entry);
    entry.opening.then(
      (session) => {
        entry.session = session;
        this.#count(target.server);
      },
      () => this.#forget(key, entry),
    );
    return entry;
  }

  async #logIn(key: string, target: SessionTarget): Promise<OpenSession> {
    const { server, username } = target;
    const afterMs = this.#backOff.remaining(key);
    if (afterMs > 0) throw new InvalidCredentialsError(server, username, { afterMs });
    try {
      const session = await this.#circuits.run(key, server, () =>
        openSession(target, this.#clock, this.#stop.signal),
      );
      this.#backOff.forget(key);
      this.#metrics.loggedIn();
      this.#logger.info("Logged in", { server, username });
      return session;
    } catch (error) {
      const failure = this.#failureOf(error, key, target);
      const isTried = !this.#stop.signal.aborted && !(error instanceof CircuitOpenError);
      if (isTried) this.#metrics.loginFailed(failure);
      throw failure;
    }
  }

  #failureOf(cause: unknown, key: string, { server, username }: SessionTarget): unknown {
    if (!isFault(cause, "InvalidLogin")) return cause;
    const afterMs = this.#backOff.refused(key);
    return new InvalidCredentialsError(server, username, { afterMs, cause });
  }

  /** Forgets a session that the vCenter has ended: the next user logs in. */
  #drop(key: string, session: Session): void {
    const entry = this.#entries.get(key);
    if (entry?.session !== session) return;
    this.#forget(key, entry);
    // Other users still get the answers to their own calls.
    this.#track(session.vcenter.close());
  }

  #forget(key: string, entry: Entry): void {
    if (this.#entries.get(key) !== entry) return;
    this.#entries.delete(key);
    this.#count(entry.target.server);
  }

  #end(key: string, entry: Entry): void {
    this.#forget(key, entry);
    this.#track(
      entry.opening.then(
        (session) => session.close(AbortSignal.timeout(logoutMs)),
        () => {},
      ),
    );
  }

  #track(closing: Promise<void>): void {
    this.#closing.add(closing);
    void closing.finally(() => this.#closing.delete(closing));
  }

  #count(server: string): void {
    const open = [...this.#entries.values()].filter(({ session }) => session);
    this.#metrics.open(server, open.filter(({ target }) => target.server === server).length);
  }
}
