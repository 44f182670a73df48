/** Numbers that the estimates of memory and work of several methods count with. */

/** The most entries of an observation in a tangent linear: four corners of three components. */
export const TANGENT_ENTRIES = 12;
/** Bytes of a number on the host. */
export const HOST_BYTES = 8;
