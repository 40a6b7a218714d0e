/** What the Deployment of the manager and its account are called. */
export const managerName = "capv-controller-manager";
