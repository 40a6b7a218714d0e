import type { CredentialIssuer } from "@rookery/api";
import {
  type Controller,
  type ControllerParts,
  controllerFor,
  createEventSource,
  enqueueRequestForObject,
  type Informer,
  type Source,
} from "@rookery/runtime";
import { conciergeName } from "../names.ts";
import { credentialIssuers } from "../resources.ts";
import type { CredentialSource } from "../signing/credential-source.ts";
import { reconcileCredentialIssuer } from "./reconcile.ts";
import { type CredentialIssuerScope, credentialIssuerScope } from "./scope.ts";

/** Reports the signing strategies in CredentialIssuers. */
export function createCredentialIssuerController(
  parts: ControllerParts & Pick<CredentialIssuerScope, "now">,
  source: CredentialSource,
): Controller {
  const informer = parts.cache.informerFor<CredentialIssuer>(credentialIssuers);
  return controllerFor<CredentialIssuer>(credentialIssuers, parts)
    .from(checks(source, informer))
    .reconcile(reconcileCredentialIssuer, (context) =>
      credentialIssuerScope(context, source, parts.now),
    );
}

/** Requests every CredentialIssuer at the start, and after each check of the strategies. */
function checks(source: CredentialSource, informer: Informer<CredentialIssuer>): Source {
  return createEventSource({
    name: "signing checks",
    handler: enqueueRequestForObject(),
    subscribe(deliver, signal) {
      const requestAll = () => {
        const known = informer.list().map(({ metadata }) => metadata.name ?? "");
        for (const name of new Set([conciergeName, ...known])) {
          deliver({ type: "generic", object: { metadata: { name } } });
        }
      };
      requestAll();
      source.subscribe(requestAll, signal);
    },
  });
}
