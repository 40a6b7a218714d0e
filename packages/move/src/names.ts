/** Who writes, in managedFields. */
export const fieldManager = "rookery-move";
