import type { Reinvocation } from "@rookery/apiserver";
import { deepEqual, type KubeObject } from "@rookery/kube";

/** Which webhooks are to be asked a second time, because the object has changed since. */
class ReinvocationState {
  readonly #invoked = new Set<string>();
  readonly #reinvoked = new Set<string>();
  #lastOutput: KubeObject | undefined;

  /** Where others have changed the object in the meantime, all that may are asked again. */
  startSecondRound(object: KubeObject | undefined): void {
    if (!deepEqual(object, this.#lastOutput)) this.reinvokeEarlierOnes();
  }

  isToBeReinvoked(id: string): boolean {
    return this.#reinvoked.has(id);
  }

  /** A webhook has changed the object: those before it are to see that. */
  reinvokeEarlierOnes(): void {
    for (const id of this.#invoked) this.#reinvoked.add(id);
    this.#invoked.clear();
  }

  /** A webhook was asked that may be asked again. */
  remember(id: string): void {
    this.#invoked.add(id);
  }

  finishRound(object: KubeObject | undefined): void {
    this.#lastOutput = object;
  }
}

const key = "MutatingAdmissionWebhook";

/** The state of a request; it lasts for both rounds. */
export function reinvocationState({ memory }: Reinvocation): ReinvocationState {
  const known = memory.get(key);
  if (known instanceof ReinvocationState) return known;
  const state = new ReinvocationState();
  memory.set(key, state);
  return state;
}
