import { listCommand } from "../get/list-command.ts";
import { Sight } from "../get/sight.ts";
import type { Tenant } from "../get/tenant.ts";
import { listTenants, tenantColumns } from "../get/tenants.ts";

/** Lists tenants, and which parts of the plane are their own. */
export const run = listCommand<Tenant>({
  description:
    "Lists the tenants: the owners of namespaces with the label rookery.dev/tenant. The rung is the " +
    "highest part of the plane that is the tenant's own: nothing (0), an identity (1), an instance of a " +
    "provider (2), an API group (3), a control plane (4).",
  examples: `  rookery get tenants                   all of them
  rookery get tenants -o wide           with their own objects, and problems of these
  rookery get tenants -n team-prod      the owner of this namespace
  kubectl label namespace team-prod rookery.dev/tenant=team    makes one`,
  list: async (connection, { namespace }) => {
    const sight = new Sight(connection.namespace);
    const all = await listTenants(connection.client, sight);
    return {
      items: all.filter((one) => namespace === undefined || one.namespaces.includes(namespace)),
      columns: tenantColumns,
      nameOf: ({ name }) => name,
      what: namespace === undefined ? "tenants" : `tenants with the namespace ${namespace}`,
      hint: "The label rookery.dev/tenant on a namespace makes one.",
      toValue: (tenants) => ({ tenants }),
      note: sight.note(),
    };
  },
});
