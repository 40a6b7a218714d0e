import type { CommandIo } from "../command.ts";
import { readGetArguments } from "../get/get-arguments.ts";
import { printFound } from "../get/print-found.ts";
import { Sight } from "../get/sight.ts";
import { listTenants, tenantColumns } from "../get/tenants.ts";
import { connectTo } from "../kube-flags.ts";

/** Who lives here, and how much of what serves them is their own. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const given = readGetArguments(args, io, {
    what: "tenants",
    description:
      "Lists the tenants: whoever has namespaces with the label rookery.dev/tenant. The rung says what of " +
      "that which serves them is theirs alone: nothing (0), an identity (1), an instance of a provider " +
      "(2), an API group (3), a control plane (4).",
    examples: `  rookery get tenants                   all of them
  rookery get tenants -o wide           and what is their own, and what is wrong with it
  rookery get tenants -n team-prod      the one whose namespace it is
  kubectl label namespace team-prod rookery.dev/tenant=team    makes one`,
  });
  await using connection = await connectTo(given.flags, io);
  const { namespace } = given.flags;
  const sight = new Sight(connection.namespace);
  const all = await listTenants(connection.client, sight);
  printFound(io, given, {
    items: all.filter((one) => namespace === undefined || one.namespaces.includes(namespace)),
    columns: tenantColumns,
    nameOf: ({ name }) => name,
    what: namespace === undefined ? "tenants" : `tenants with the namespace ${namespace}`,
    hint: "The label rookery.dev/tenant on a namespace makes one.",
    whole: (tenants) => ({ tenants }),
  });
  const note = sight.note();
  if (note) io.writeError(note);
}
