/** The release of Cluster API that is installed. */
export const version = "v1.13.6";
