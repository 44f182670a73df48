/** Whether a device that others use has room for more. */

/**
 * @param bytes of each buffer
 * @returns whether the device can hold these buffers beside what it holds now. Asked for by itself, so that a refusal is not
 *   taken for a fault of whoever else works on the device
 */
export async function hasRoomFor(device: GPUDevice, bytes: readonly number[]): Promise<boolean> {
  device.pushErrorScope('out-of-memory');
  const tried = bytes.map((size) => device.createBuffer({ label: 'room', size, usage: GPUBufferUsage.STORAGE }));
  const refusal = await device.popErrorScope();
  for (const buffer of tried) buffer.destroy();
  return refusal === null;
}
