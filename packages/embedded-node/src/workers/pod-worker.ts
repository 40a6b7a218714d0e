import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { PodCondition, PodStatus } from "@rookery/api";
import { formatTime, isConflict, isNotFound, parseTime } from "@rookery/kube";
import type { ContainerRunner } from "../containers/container-runner.ts";
import { PodHosts } from "../names/pod-hosts.ts";
import { type BoundPod, isTerminalPhase } from "../pod/pod.ts";
import { podStatus } from "../pod/pod-status.ts";
import { podSubject } from "../pod/pod-subject.ts";
import { killStrays } from "../processes/stray-processes.ts";
import { PodVolumes } from "../volumes/pod-volumes.ts";
import { PodTokens } from "../volumes/service-account-token.ts";
import { waitForVolumes } from "../volumes/wait-for-volumes.ts";
import { PodContainers } from "./pod-containers.ts";
import { pods, StatusWriter } from "./status-writer.ts";
import type { WorkerContext } from "./worker-context.ts";

const deadlineExceeded = {
  reason: "DeadlineExceeded",
  message: "Pod was active on the node longer than the specified deadline",
};

/** One pod: from its start to the end of its processes, and its status all the while. */
export class PodWorker {
  readonly #context: WorkerContext;
  readonly #volumes: PodVolumes;
  readonly #hosts: PodHosts;
  readonly #containers: PodContainers;
  readonly #writer: StatusWriter;
  readonly #terminating = new AbortController();
  readonly #startTime: string;
  readonly #wasTerminal: boolean;
  /** Resolves when nothing of it runs any more. */
  readonly #over: Promise<void>;
  #pod: BoundPod;
  #status: PodStatus | undefined;
  #failure: typeof deadlineExceeded | undefined;
  #hasSandbox = false;
  /** Whether something that its files are made of has changed since they were begun. */
  #isStale = false;
  #isTerminal = false;
  #isGone = false;
  #isShutdown = false;
  #graceSeconds: number | undefined;
  #deletion: Promise<void> | undefined;
  #deadlineTimer: NodeJS.Timeout | undefined;

  constructor(pod: BoundPod, context: WorkerContext) {
    this.#pod = pod;
    this.#context = context;
    this.#startTime = pod.status?.startTime ?? formatTime(context.now());
    this.#wasTerminal = isTerminalPhase(pod.status?.phase);
    const tokens = new PodTokens(pod, context);
    const place = this.#place();
    this.#volumes = new PodVolumes({
      folder: join(context.folder, "volumes"),
      client: context.client,
      sources: { ...context.sources, place, token: (options) => tokens.token(options) },
    });
    const { address, names } = context;
    this.#hosts = new PodHosts({ file: join(context.folder, "hosts"), address, names });
    this.#containers = new PodContainers({
      context,
      place,
      pod: () => this.#pod,
      volumes: this.#volumes.folders,
      changed: () => this.#changed(),
    });
    this.#writer = new StatusWriter({
      client: context.client,
      current: () => ({ pod: this.#pod, status: this.#nextStatus() }),
      onRejected: (error) => context.onError(error),
    });
    this.#over = this.#wasTerminal ? Promise.resolve() : this.#live();
    this.update(pod);
  }

  get pod(): BoundPod {
    return this.#pod;
  }

  get address(): string {
    return this.#context.address;
  }

  get status(): PodStatus | undefined {
    return this.#status ?? this.#pod.status;
  }

  runner(container: string): ContainerRunner | undefined {
    return this.#containers.runner(container);
  }

  /** Applies a change of the pod, such as its deletion. */
  update(pod: BoundPod): void {
    this.#pod = pod;
    const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
    this.#watchDeadline();
    if (deletionTimestamp) this.#delete(deletionGracePeriodSeconds ?? 30);
    else if (!this.#wasTerminal) {
      this.#containers.update(pod);
      this.#changed();
    }
  }

  /** The pod is gone from the API: ends its processes at once. */
  async forget(): Promise<void> {
    this.#isGone = true;
    this.#delete(0);
    await this.#deletion;
  }

  /** Writes files whose content has changed; those that are just written for the first time, after that. */
  async refresh(): Promise<void> {
    this.#isStale = !this.#hasSandbox;
    if (this.#wasTerminal || this.#terminating.signal.aborted || this.#isStale) return;
    await this.#volumes.prepare(this.#pod);
  }

  /** Writes changed names into its /etc/hosts. */
  refreshNames(): void {
    if (!this.#hasSandbox || this.#terminating.signal.aborted) return;
    try {
      this.#hosts.write(this.#pod);
    } catch (error) {
      this.#context.onError(error);
    }
  }

  /** Ends its processes; the pod stays and comes back with the node. */
  async shutDown(graceSeconds: number): Promise<void> {
    this.#isShutdown = true;
    clearTimeout(this.#deadlineTimer);
    await this.#writer.close();
    this.#end(graceSeconds);
    await this.#over;
    await killStrays([this.#pod.metadata.uid ?? ""]);
  }

  async #live(): Promise<void> {
    const { signal } = this.#terminating;
    const context = this.#context;
    try {
      const problem = (message: string) =>
        context.events.record(podSubject(this.#pod), {
          type: "Warning",
          reason: "FailedMount",
          message,
        });
      const prepare = () => this.#volumes.prepare(this.#pod);
      await waitForVolumes({ prepare, problem, signal });
      if (!signal.aborted) {
        this.#hosts.write(this.#pod);
        this.#hasSandbox = true;
        if (this.#isStale) await this.refresh();
        if (this.#containers.hadBegun) this.#reportRestart();
        this.#changed();
        await this.#containers.run(signal);
      }
    } catch (error) {
      context.onError(error);
    }
    await this.#endProcesses();
  }

  #reportRestart(): void {
    this.#context.events.record(podSubject(this.#pod), {
      type: "Normal",
      reason: "SandboxChanged",
      message: "Pod sandbox changed, it will be killed and re-created.",
    });
  }

  async #endProcesses(): Promise<void> {
    const graceSeconds = this.#graceSeconds ?? this.#ownGrace;
    await this.#containers.stop({ graceSeconds, isShutdown: this.#isShutdown });
    if (this.#isShutdown) return;
    this.#isTerminal = true;
    this.#hasSandbox = false;
    clearTimeout(this.#deadlineTimer);
    await killStrays([this.#pod.metadata.uid ?? ""]);
    this.#containers.settle();
    this.#changed();
    await this.#writer.flush();
    await this.#removeFolder("containers", "volumes");
  }

  /** Ends the containers; a second call can only shorten the grace period. */
  #end(graceSeconds: number): void {
    const before = this.#graceSeconds ?? Number.POSITIVE_INFINITY;
    this.#graceSeconds = Math.min(before, Math.max(1, graceSeconds));
    if (!this.#terminating.signal.aborted) this.#terminating.abort();
    else if (this.#graceSeconds < before) this.#containers.shortenGrace(this.#graceSeconds);
  }

  #delete(graceSeconds: number): void {
    if (this.#isShutdown) return;
    this.#end(graceSeconds);
    this.#deletion ??= this.#finish().catch((error: unknown) => this.#context.onError(error));
  }

  async #finish(): Promise<void> {
    await this.#over;
    if (this.#isShutdown) return;
    await this.#writer.flush();
    await this.#writer.close();
    await this.#removeFolder(".");
    await rm(this.#context.logFolder, { recursive: true, force: true });
    while (!(this.#isGone || this.#isShutdown || (await this.#deleteObject()))) {
      await delay(this.#context.settings.retryMs);
    }
  }

  /** Whether the pod is gone from the API: nothing of it runs any more. */
  async #deleteObject(): Promise<boolean> {
    const { namespace = "", name = "", uid = "" } = this.#pod.metadata;
    const options = { gracePeriodSeconds: 0, preconditions: { uid } };
    try {
      await this.#context.client.resource(pods).delete({ namespace, name }, options);
      return true;
    } catch (error) {
      if (isNotFound(error) || isConflict(error)) return true;
      this.#context.onError(error);
      return false;
    }
  }

  async #removeFolder(...names: readonly string[]): Promise<void> {
    const { folder } = this.#context;
    const paths = names.map((name) => join(folder, name));
    await Promise.all(paths.map((path) => rm(path, { recursive: true, force: true })));
  }

  #watchDeadline(): void {
    const { activeDeadlineSeconds: seconds } = this.#pod.spec;
    clearTimeout(this.#deadlineTimer);
    if (seconds === undefined || this.#wasTerminal || this.#isTerminal || this.#isShutdown) return;
    const end = parseTime(this.#startTime).getTime() + seconds * 1000;
    const wait = Math.max(0, end - this.#context.now().getTime());
    this.#deadlineTimer = setTimeout(() => this.#exceed(), Math.min(wait, 2 ** 31 - 1));
  }

  #exceed(): void {
    if (this.#isTerminal || this.#terminating.signal.aborted) return;
    const { reason, message } = deadlineExceeded;
    this.#failure = deadlineExceeded;
    this.#context.events.record(podSubject(this.#pod), { type: "Normal", reason, message });
    this.#changed();
    this.#end(this.#ownGrace);
  }

  /** Ends the containers of a pod with a final phase, also those that wait for a restart. */
  #endTerminal(): void {
    if (!this.#isTerminal && !this.#terminating.signal.aborted) this.#end(this.#ownGrace);
  }

  get #ownGrace(): number {
    return this.#pod.spec.terminationGracePeriodSeconds ?? 30;
  }

  #place() {
    const { address: podIP, hostIP, allocatable } = this.#context;
    return { podIP, hostIP, allocatable };
  }

  #changed(): void {
    if (!this.#isShutdown) this.#writer.changed();
  }

  #nextStatus(): PodStatus {
    const { hostIP, address, now } = this.#context;
    const wasSetUp = this.#hasSandbox || this.#status?.podIP !== undefined;
    this.#status = podStatus(this.#withOwnStatus(), {
      initStatuses: this.#containers.initStatuses,
      statuses: this.#containers.statuses,
      ephemeralStatuses: this.#containers.ephemeralStatuses,
      podIP: wasSetUp ? address : undefined,
      hostIP,
      hasSandbox: this.#hasSandbox,
      isTerminal: this.#isTerminal,
      failure: this.#failure,
      startTime: this.#startTime,
      now: formatTime(now()),
    });
    if (isTerminalPhase(this.#status.phase)) this.#endTerminal();
    return this.#status;
  }

  /** The last written status takes precedence over the one that the API server returned since. */
  #withOwnStatus(): BoundPod {
    if (!this.#status) return this.#pod;
    const own = this.#status.conditions ?? [];
    const isOwn = ({ type }: PodCondition) => own.some((one) => one.type === type);
    const others = (this.#pod.status?.conditions ?? []).filter((one) => !isOwn(one));
    return { ...this.#pod, status: { ...this.#status, conditions: [...others, ...own] } };
  }
}
