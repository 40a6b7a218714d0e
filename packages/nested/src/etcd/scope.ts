import type { NestedEtcd } from "@rookery/api";
import type { ReconcileContext } from "@rookery/runtime";
import type { ComponentScope } from "../component/scope.ts";
import { createEtcdGateway, type EtcdGateway, type EtcdGatewayOptions } from "./gateway.ts";

export interface EtcdScope extends ComponentScope<NestedEtcd> {
  readonly connect: (options: Omit<EtcdGatewayOptions, "signal">) => EtcdGateway;
}

export function etcdScope(
  shared: ComponentScope<NestedEtcd>,
  { signal }: ReconcileContext<NestedEtcd>,
): EtcdScope {
  return { ...shared, connect: (place) => createEtcdGateway({ ...place, signal }) };
}
