/** The account, the Deployment, the Service and the lease of every concierge. */
export const conciergeName = "rookery-concierge";
