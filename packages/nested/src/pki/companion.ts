import { companionSecret } from "../names.ts";
import type { PkiScope } from "./scope.ts";
import {
  isOurs,
  ownedSecret,
  type Secret,
  type SecretTexts,
  secretProblem,
  textOf,
} from "./secret.ts";

/** Writes exactly the keys that a supplied certificate lacks. Errors: ControlPlaneError. */
export async function ensureCompanion(
  { metadata: { name: leaf = "" } }: Secret,
  lacking: SecretTexts,
  scope: PkiScope,
): Promise<void> {
  const { store } = scope;
  const name = companionSecret(leaf);
  const found = await store.get(name);
  if (!found && Object.keys(lacking).length === 0) return;
  const companion = found ?? (await store.create(ownedSecret(name, scope, lacking)));
  const changed = Object.entries(lacking).filter(([key, text]) => textOf(companion, key) !== text);
  if (!isOurs(companion, scope)) {
    if (changed.length === 0) return;
    const keys = changed.map(([key]) => key).join(" and ");
    const why = `it has another owner, and lacks the ${keys} of the Secret ${leaf}`;
    throw secretProblem(name, "SecretInvalid", why);
  }
  const extra = Object.keys(companion.data ?? {}).filter((key) => !(key in lacking));
  if (changed.length + extra.length === 0) return;
  const removed = extra.map((key) => [key, null] as const);
  await store.write(companion, Object.fromEntries([...changed, ...removed]));
}
