/** Words of Cluster API that objects are marked with. */
export const clusterFinalizer = "cluster.cluster.x-k8s.io";
export const machineFinalizer = "machine.cluster.x-k8s.io";
export const resourceSetFinalizer = "addons.cluster.x-k8s.io";

/** What conditions say where only the log knows more. */
export const seeLog = "Please check controller logs for errors";
