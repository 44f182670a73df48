/** Numbers that the estimates of memory and work of several methods count with. */

/** Of an observation in a tangent linear at most: four corners of three components. */
export const TANGENT_ENTRIES = 12;
/** Of a number on the host. */
export const HOST_BYTES = 8;
