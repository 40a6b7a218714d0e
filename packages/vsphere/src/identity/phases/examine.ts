import { isSelectorValid, type VSphereClusterIdentity } from "@rookery/api";
import { type Finding, isFalse, isTrue } from "@rookery/kube";
import { credentialsIn, isOwnedBy } from "../../credentials/credential-secret.ts";
import { secretNameOf } from "../../credentials/resolve-identity.ts";
import type { IdentityScope } from "../scope.ts";
import { releaseAllBut } from "./release.ts";

/** Checks whether an identity can be used, and takes its Secret. */
export async function examine(
  identity: VSphereClusterIdentity,
  scope: IdentityScope,
): Promise<Finding> {
  const { selector } = identity.spec.allowedNamespaces ?? {};
  if (selector && !isSelectorValid(selector)) {
    const message = "spec.allowedNamespaces.selector is not valid, and selects no namespace";
    return isFalse("InvalidSelector", message);
  }
  const name = secretNameOf(identity);
  const secret = await scope.getSecret(name);
  const where = `${secret?.metadata.namespace ?? scope.credentialsNamespace}/${name}`;
  if (!secret) return notAvailable(`there is no Secret ${where}`);
  if (!isOwnedBy(secret, identity)) {
    const other = await scope.otherOwner(identity, secret);
    if (other) {
      const message = `the Secret ${where} belongs to ${other}; give each a Secret of its own`;
      return isFalse("SecretAlreadyInUse", message);
    }
    const isOwned = await scope.ownSecret(identity, secret);
    if (!isOwned) return notAvailable(`there is no Secret ${where} any more`);
  }
  await releaseAllBut(identity, name, scope);
  if (credentialsIn(secret)) return isTrue("Ready");
  return notAvailable(
    `the Secret ${where} must have the keys username and password, both not empty`,
  );
}

function notAvailable(message: string): Finding {
  return isFalse("SecretNotAvailable", message);
}
