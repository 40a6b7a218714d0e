import type { MutatingWebhook, MutatingWebhookConfiguration } from "@rookery/api";
import type { StoreSubscription } from "@rookery/kube";
import { type KubeObject, type LabelSelector, labelSelectorAsSelector } from "@rookery/kube";
import type { Expression } from "@rookery/schema";
import { compileMatchCondition } from "../kinds/admissionregistration/match-conditions.ts";
import type { Store } from "../store/store.ts";

/** A webhook of a configuration with compiled selectors. */
export interface RegisteredWebhook {
  /** Unique: the configuration, the webhook, and the number of earlier ones with that name. */
  readonly id: string;
  readonly name: string;
  readonly configuration: string;
  readonly webhook: MutatingWebhook;
  readonly namespaceSelector: ReturnType<typeof labelSelectorAsSelector>;
  readonly objectSelector: ReturnType<typeof labelSelectorAsSelector>;
  readonly conditions: readonly RegisteredCondition[];
}

export interface RegisteredCondition {
  readonly expression: string;
  /** Compiles on first use. */
  compiled(): Expression | string;
}

/** The webhooks of all configurations of a kind, in order. They are compiled on first use after a change. */
export class RegisteredWebhooks implements Disposable {
  readonly #store: Store;
  readonly #resource: string;
  readonly #subscription: StoreSubscription;
  #current: readonly RegisteredWebhook[] | undefined;

  constructor(store: Store, resource: string) {
    this.#store = store;
    this.#resource = resource;
    this.#subscription = store.watch(resource, store.revision, () => {
      this.#current = undefined;
    });
  }

  get all(): readonly RegisteredWebhook[] {
    this.#current ??= this.#store
      .list(this.#resource)
      .entries.flatMap(({ object }) => webhooksOf(object as KubeObject & Configuration));
    return this.#current;
  }

  [Symbol.dispose](): void {
    this.#subscription.close();
  }
}

type Configuration = MutatingWebhookConfiguration;

function webhooksOf({ metadata, webhooks }: KubeObject & Configuration): RegisteredWebhook[] {
  const seen = new Map<string, number>();
  return (webhooks ?? []).map((webhook) => {
    const { name = "" } = webhook;
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    const configuration = metadata.name ?? "";
    return registered(webhook, { configuration, id: `${configuration}/${name}/${before}` });
  });
}

function registered(
  webhook: MutatingWebhook,
  place: Pick<RegisteredWebhook, "id" | "configuration">,
): RegisteredWebhook {
  const selector = (value: MutatingWebhook["objectSelector"]) =>
    labelSelectorAsSelector((value ?? {}) as LabelSelector);
  return {
    ...place,
    name: webhook.name ?? "",
    webhook,
    namespaceSelector: selector(webhook.namespaceSelector),
    objectSelector: selector(webhook.objectSelector),
    conditions: (webhook.matchConditions ?? []).map(({ expression = "" }) =>
      registeredCondition(expression),
    ),
  };
}

function registeredCondition(expression: string): RegisteredCondition {
  let compiled: Expression | string | undefined;
  return {
    expression,
    compiled() {
      compiled ??= compileMatchCondition(expression);
      return compiled;
    },
  };
}
