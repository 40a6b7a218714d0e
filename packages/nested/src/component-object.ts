import type { NestedAPIServer, NestedControllerManager, NestedEtcd } from "@rookery/api";

/** An object of any of the three kinds of components. */
export type ComponentObject = NestedEtcd | NestedAPIServer | NestedControllerManager;

/** What every component says of itself. */
export type ComponentStatus = NonNullable<NestedControllerManager["status"]>;
