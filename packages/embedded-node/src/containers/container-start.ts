import { join } from "node:path";
import type { Container } from "@rookery/api";
import { messageOf } from "@rookery/errors";
import { ContainerConfigError, MissingKeyError } from "../errors.ts";
import { BackOff } from "./back-off.ts";
import { type Launch, prepareLaunch } from "./container-launch.ts";
import type { ImageProgram } from "./images.ts";
import type { RunnerContext } from "./runner-context.ts";

/** Why a container can't be started yet. */
export interface NotYet {
  readonly reason: string;
  readonly message: string;
  readonly retryMs: number;
}

export interface Prepared {
  readonly container: Container;
  readonly launch: Launch;
  readonly program: ImageProgram;
}

/** The least time between equal events: the node retries more often than a kubelet. */
const repeatMs = 10_000;

/** Gets a container ready to start: its image, its variables, its files. */
export class ContainerStart {
  readonly #container: Container;
  readonly #context: RunnerContext;
  readonly #imageBackOff: BackOff;
  #pullError = "";
  #pullAgainMs = 0;
  #lastFailure = { message: "", atMs: 0 };

  constructor(container: Container, context: RunnerContext) {
    this.#container = container;
    this.#context = context;
    this.#imageBackOff = new BackOff(context.settings.imageBackOff);
  }

  async prepare(): Promise<Prepared | NotYet> {
    const program = await this.#context.images.programOf(this.#container.image ?? "");
    if (!program) return this.#noImage();
    const image = `Container image "${this.#container.image}" already present on machine`;
    if (!this.#failedLately()) this.#emit({ type: "Normal", reason: "Pulled", message: image });
    try {
      const variables = this.#context.variablesOf(this.#container);
      const launch = await this.#launch(program, variables);
      this.#lastFailure = { message: "", atMs: 0 };
      return { container: this.#container, launch, program };
    } catch (error) {
      const message = messageOf(error);
      const isConfig = error instanceof MissingKeyError || error instanceof ContainerConfigError;
      this.#fail(`Error: ${message}`);
      const reason = isConfig ? "CreateContainerConfigError" : "CreateContainerError";
      return { reason, message, retryMs: this.#context.settings.retryMs };
    }
  }

  #launch(program: ImageProgram, variables: Readonly<Record<string, string>>): Promise<Launch> {
    const { address, folder, volumes, tools, shared } = this.#context;
    return prepareLaunch({
      container: this.#container,
      pod: this.#context.pod(),
      program,
      variables,
      address,
      volumes,
      tools,
      shared,
      hostsFile: join(folder, "hosts"),
      folder: join(folder, "containers", this.#container.name ?? ""),
    });
  }

  #noImage(): NotYet {
    const { image, imagePullPolicy } = this.#container;
    if (imagePullPolicy === "Never") return this.#neverPulled();
    const now = this.#context.now().getTime();
    const { hint } = this.#context.images;
    if (now < this.#pullAgainMs) {
      const message = `Back-off pulling image "${image}"`;
      this.#emit({ type: "Normal", reason: "BackOff", message });
      this.#fail("Error: ImagePullBackOff");
      const whole = `${message}: ErrImagePull: ${this.#pullError}`;
      return { reason: "ImagePullBackOff", message: whole, retryMs: this.#pullAgainMs - now };
    }
    this.#imageBackOff.next(now);
    const wait = this.#imageBackOff.next(now);
    this.#pullAgainMs = now + wait;
    this.#pullError = `there is no program for this image on the node: ${hint}`;
    this.#emit({ type: "Normal", reason: "Pulling", message: `Pulling image "${image}"` });
    this.#fail(`Failed to pull image "${image}": ${this.#pullError}`);
    this.#fail("Error: ErrImagePull");
    // As long as a kubelet takes to look again.
    const retryMs = Math.min(this.#context.settings.retryMs, wait / 2);
    return { reason: "ErrImagePull", message: this.#pullError, retryMs };
  }

  #neverPulled(): NotYet {
    const { image } = this.#container;
    const { hint } = this.#context.images;
    const message = `Container image "${image}" is not present with pull policy of Never`;
    this.#emit({ type: "Warning", reason: "ErrImageNeverPull", message });
    this.#fail("Error: ErrImageNeverPull");
    const { retryMs } = this.#context.settings;
    return { reason: "ErrImageNeverPull", message: `${message}: ${hint}`, retryMs };
  }

  #failedLately(): boolean {
    return this.#context.now().getTime() - this.#lastFailure.atMs < repeatMs;
  }

  #fail(message: string): void {
    if (this.#lastFailure.message === message && this.#failedLately()) return;
    this.#lastFailure = { message, atMs: this.#context.now().getTime() };
    this.#emit({ type: "Warning", reason: "Failed", message });
  }

  #emit(event: Parameters<RunnerContext["event"]>[1]): void {
    this.#context.event(this.#container, event);
  }
}
