import type { Provider } from "@rookery/api";
import type { Client } from "@rookery/client";
import { previewDeletion } from "@rookery/operator";
import type { CommandIo } from "../command.ts";
import { ProvidersError } from "../errors.ts";
import { describeDeletion, type Judgement } from "../progress/judgement.ts";
import {
  formatProviderKey,
  patchSpec,
  providerKeyOf,
  providersOf,
} from "../providers/declared-providers.ts";
import { followProviders } from "../providers/follow-providers.ts";
import { removeSupplies } from "./remove-supplies.ts";

export interface DeleteOptions {
  readonly includeCrd?: boolean;
  readonly includeNamespace?: boolean;
  readonly waitTimeout: number;
}

/** Errors: ProvidersError with all that is in the way of each. */
export async function checkDeletions(
  client: Client,
  going: readonly Provider[],
  all: readonly Provider[],
): Promise<void> {
  const staying = all.filter((provider) => !going.includes(provider));
  const problems: string[] = [];
  for (const provider of going.filter(({ metadata }) => !metadata.deletionTimestamp)) {
    const users = await previewDeletion(client, provider, staying);
    if (users === undefined) continue;
    const { count, first, wayOut } = users;
    const more = count > first.length ? ` and ${count - first.length} more` : "";
    const name = formatProviderKey(providerKeyOf(provider));
    problems.push(`${name} is used by ${first.join(", ")}${more}; ${wayOut}`);
  }
  if (problems.length > 0) throw new ProvidersError("delete", problems);
}

/**
 * Deletes providers and waits until all of each is gone: those that build on a core before the core.
 * Errors: ProvidersError with what each waits for.
 */
export async function deleteProviders(
  going: readonly Provider[],
  options: DeleteOptions,
  { client, io }: { readonly client: Client; readonly io: CommandIo },
): Promise<void> {
  const cores = going.filter(({ kind }) => kind === "CoreProvider");
  const others = going.filter(({ kind }) => kind !== "CoreProvider");
  for (const group of [others, cores].filter(({ length }) => length > 0)) {
    for (const provider of group) await ask(client, provider, options);
    await followProviders(group.map(providerKeyOf), {
      client,
      io,
      judge,
      timeoutSeconds: options.waitTimeout,
      verb: "delete",
    });
    for (const provider of group) await removeSupplies(client, provider);
  }
}

/** The policies first: they are read when the deletion is seen. */
async function ask(
  client: Client,
  provider: Provider,
  { includeCrd, includeNamespace }: DeleteOptions,
): Promise<void> {
  const { kind, ...key } = providerKeyOf(provider);
  const deletionPolicy = {
    ...(includeCrd && { customResourceDefinitions: "Delete" }),
    ...(includeNamespace && { namespace: "Delete" }),
  };
  if (Object.keys(deletionPolicy).length > 0) {
    await patchSpec(client, { kind, ...key }, { deletionPolicy });
  }
  await providersOf(client, kind).delete(key);
}

function judge(provider: Provider | undefined): Judgement {
  return provider ? describeDeletion(provider) : { state: "done", text: "gone" };
}
