import type { NestedAPIServer, NestedControllerManager, NestedEtcd } from "@rookery/api";

/** An object of any of the three kinds of components. */
export type ComponentObject = NestedEtcd | NestedAPIServer | NestedControllerManager;

/** The common status of all kinds of components. */
export type ComponentStatus = NonNullable<NestedControllerManager["status"]>;
