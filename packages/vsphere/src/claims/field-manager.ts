/** Names the fields that the provider sets on objects of others. */
export const fieldManager = "rookery-vsphere";
