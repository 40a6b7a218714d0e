import type { Provider } from "@rookery/api";
import type { ProviderKind } from "@rookery/components";
import type { ProviderView } from "../../src/state/provider-view.ts";

type Change = (view: ProviderView) => ProviderView;

/** A provider that is not installed yet: `view("CoreProvider", "cluster-api", installed("v1.13.6"))`. */
export function view(
  kind: ProviderKind,
  name: string,
  ...changes: readonly Change[]
): ProviderView {
  const made: ProviderView = {
    provider: {
      apiVersion: "management.cluster.x-k8s.io/v1alpha1",
      kind,
      metadata: {
        name,
        namespace: `${name}-system`,
        creationTimestamp: "2026-01-01T00:00:00Z",
      },
      spec: {},
    },
    identity: { kind, name },
    isReady: false,
    isScaledDown: false,
  };
  return changes.reduce((changed, change) => change(changed), made);
}

/** Installed and ready. */
export function installed(version: string, contract = "v1beta2"): Change {
  return (before) => ({ ...before, installed: { version, contract }, isReady: true });
}

/** In the middle of a change. */
export function becoming(next: NonNullable<ProviderView["next"]>): Change {
  return (before) => ({ ...before, next });
}

export function notReady(): Change {
  return (before) => ({ ...before, isReady: false });
}

/** Paused, with all its pods gone. */
export function atRest(): Change {
  return (before) => ({
    ...withSpec({ paused: true })(before),
    isScaledDown: true,
    isReady: false,
  });
}

/** Without pods, and not because it is paused. */
export function scaledDown(): Change {
  return (before) => ({ ...before, isScaledDown: true, isReady: false });
}

export function withSpec(spec: NonNullable<Provider["spec"]>): Change {
  return (before) => {
    const { provider } = before;
    return { ...before, provider: { ...provider, spec: { ...provider.spec, ...spec } } };
  };
}

export function inNamespace(namespace: string): Change {
  return withMetadata({ namespace });
}

export function madeAt(creationTimestamp: string): Change {
  return withMetadata({ creationTimestamp });
}

function withMetadata(metadata: Provider["metadata"]): Change {
  return (before) => {
    const { provider } = before;
    return {
      ...before,
      provider: { ...provider, metadata: { ...provider.metadata, ...metadata } },
    };
  };
}
