/** The name of the manager's Deployment and account. */
export const managerName = "capv-controller-manager";
