import { systemClock } from "@rookery/runtime";
import type { SystemNames } from "./authenticators/system-names.ts";
import type { ConciergeParts } from "./concierge-parts.ts";
import { createCredentialIssuerController } from "./credential-issuer/controller.ts";
import { conciergeName } from "./names.ts";
import { chooseStrategy } from "./signing/choose-strategy.ts";
import { CredentialSource } from "./signing/credential-source.ts";

/** Adds the source of credentials, and the controller that reports its strategies. */
export function addSigning(parts: ConciergeParts, names: SystemNames): CredentialSource {
  const { provider, flags, namespace, cluster, now } = parts;
  const { strategy, others } = chooseStrategy(flags, {
    client: provider.client,
    name: conciergeName,
    namespace,
    now,
    readClientAuthorities: async (signal) => {
      await cluster.reload(signal);
      return cluster.current.clientCa;
    },
  });
  const source = new CredentialSource({ strategy, others, names, clock: systemClock });
  provider.manager.add(source);
  provider.manager.add(createCredentialIssuerController(parts, source));
  return source;
}
