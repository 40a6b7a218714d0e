import { onAbort } from "../clock/abort.ts";
import { type MonotonicClock, systemClock } from "../clock/clock.ts";
import { AlreadyStartedError, GracePeriodExceededError, LeadershipLostError } from "../errors.ts";
import { type Logger, silentLogger } from "../logging/logger.ts";
import { type Runnable, type RunnableGroup, runnableGroups } from "./runnable.ts";
import { RunningGroup } from "./running-group.ts";

/** Elects one of several processes as the leader. A manager runs it once. */
export interface LeaderElection {
  /**
   * Takes part until the signal is aborted, then steps down and resolves. Calls `onStarted` once, when this process
   * leads; rejects when the leadership is lost. If the signal's reason is a GracePeriodExceededError, work may
   * continue: the lease must then expire, because another leader would do the same work.
   */
  run(signal: AbortSignal, onStarted: () => void): Promise<void>;
}

export interface ManagerOptions {
  /** Without one, this process leads from the beginning. */
  readonly leaderElection?: LeaderElection;
  /** The time in which all runnables have to stop, in milliseconds; 30 s by default. */
  readonly gracePeriod?: number;
  readonly logger?: Logger;
  readonly clock?: MonotonicClock;
}

/** Runs the parts of a process. */
export interface Manager {
  /** Adds a runnable; after the start it runs at once. Throws a ManagerStoppedError. */
  add(runnable: Runnable): void;
  /**
   * Flow: starts the groups one after another, each when the one before is ready; runs until the signal is aborted or
   * a runnable fails; stops the groups in reverse order, then steps down.
   * Guarantees: runnables that need leadership run only while this process leads.
   * Errors: the first error of a runnable; a GracePeriodExceededError if one does not stop; a LeadershipLostError, at
   * once: the process must end.
   */
  start(signal: AbortSignal): Promise<void>;
}

/** Makes a manager, which runs once. */
export function createManager(options: ManagerOptions = {}): Manager {
  return new GroupManager(options);
}

class GroupManager implements Manager {
  #options: ManagerOptions;
  #logger: Logger;
  #clock: MonotonicClock;
  #groups: Record<RunnableGroup, RunningGroup>;
  #state: "new" | "running" | "stopping" = "new";
  /** Resolves when the process has to stop, rejects with the first failure. */
  #end = Promise.withResolvers<void>();
  #lost = Promise.withResolvers<never>();
  #election = new AbortController();
  #stepDown: Promise<void> = Promise.resolve();

  constructor(options: ManagerOptions) {
    this.#options = options;
    this.#logger = (options.logger ?? silentLogger).withName("manager");
    this.#clock = options.clock ?? systemClock;
    const group = () => new RunningGroup((error, runnable) => this.#fail(error, runnable));
    this.#groups = {
      httpServers: group(),
      webhooks: group(),
      caches: group(),
      others: group(),
      leaderElection: group(),
    };
    this.#lost.promise.catch(() => {});
  }

  add(runnable: Runnable): void {
    this.#groups[runnable.group ?? "leaderElection"].add(runnable);
  }

  async start(signal: AbortSignal): Promise<void> {
    if (this.#state !== "new") throw new AlreadyStartedError("manager");
    this.#state = "running";
    onAbort(signal, () => this.#end.resolve());
    void this.#startGroups();
    const failure = await this.#end.promise.then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    this.#state = "stopping";
    await this.#stop(failure);
    if (failure) throw failure.error;
  }

  async #startGroups(): Promise<void> {
    for (const name of runnableGroups) {
      if (this.#state !== "running") return;
      if (name === "leaderElection" && this.#options.leaderElection) {
        this.#stepDown = this.#elect(this.#options.leaderElection);
      } else await this.#groups[name].start();
    }
  }

  async #elect(leaderElection: LeaderElection): Promise<void> {
    const { signal } = this.#election;
    const onStarted = () => void (this.#state === "running" && this.#groups.leaderElection.start());
    try {
      await leaderElection.run(signal, onStarted);
      if (!signal.aborted) this.#lose();
    } catch (error) {
      if (!signal.aborted) this.#lose({ cause: error });
    }
  }

  #lose(options?: ErrorOptions): void {
    const error = new LeadershipLostError(options);
    this.#lost.reject(error);
    this.#end.reject(error);
  }

  /** The first failure is thrown, later ones are logged. */
  #fail(error: unknown, { name }: Runnable): void {
    if (this.#state === "running") {
      this.#state = "stopping";
      this.#end.reject(error);
    } else this.#logger.error(error, "Error received while stopping", { runnable: name });
  }

  /** Throws if the stop fails, or logs that if there is an earlier failure to throw. */
  async #stop(failure: { readonly error: unknown } | undefined): Promise<void> {
    const grace = Promise.withResolvers<never>();
    const { gracePeriod = 30_000 } = this.#options;
    const exceed = () => grace.reject(new GracePeriodExceededError(this.#running(), gracePeriod));
    const timer = this.#clock.setTimer(exceed, gracePeriod);
    try {
      await Promise.race([this.#lost.promise, grace.promise, this.#stopGroups()]);
    } catch (error) {
      this.#stopAtOnce(error);
      if (failure === undefined) throw error;
      if (failure.error !== error) this.#logger.error(error, "Could not stop in order");
    } finally {
      timer.stop();
    }
  }

  async #stopGroups(): Promise<void> {
    for (const name of runnableGroups.toReversed()) {
      this.#logger.info("Stopping and waiting for runnables", { group: name });
      await this.#groups[name].stop();
    }
    // Only now another process may start to work.
    this.#election.abort();
    await this.#stepDown;
  }

  #stopAtOnce(reason: unknown): void {
    for (const name of runnableGroups.toReversed()) void this.#groups[name].stop();
    this.#election.abort(reason);
  }

  #running(): string[] {
    const names = runnableGroups.flatMap((name) => this.#groups[name].running);
    return names.length > 0 ? names : ["leader election"];
  }
}
