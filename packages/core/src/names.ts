/** Finalizers of Cluster API's core. */
export const clusterFinalizer = "cluster.cluster.x-k8s.io";
export const machineFinalizer = "machine.cluster.x-k8s.io";
export const resourceSetFinalizer = "addons.cluster.x-k8s.io";

/** The message of conditions whose cause only the log shows. */
export const seeLog = "Please check controller logs for errors";
