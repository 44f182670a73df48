"""The separable periodic convolution of a volume: scipy.ndimage, sums of rolled arrays, and the Fourier transform."""

import numpy as np

from harness import available, main, synchronised


def correlate_all(correlate1d, volume, taps, lower):
    """out(i) = sum of taps[q] in(i + q - lower), along all axes."""
    origin = lower - len(taps) // 2
    for axis in range(volume.ndim):
        volume = correlate1d(volume, taps, axis=axis, mode="wrap", origin=origin)
    return volume


def rolled(xp, volume, taps, lower):
    for axis in range(volume.ndim):
        volume = sum(taps[q] * xp.roll(volume, lower - q, axis) for q in range(len(taps)))
    return volume


def symbols(shape, taps, lower):
    """The Fourier transform of the filter along each axis, as it multiplies that of the volume."""
    for axis, size in enumerate(shape):
        row = np.zeros(size)
        for q, tap in enumerate(taps):
            row[(lower - q) % size] += tap
        last = axis == len(shape) - 1
        transform = np.fft.rfft(row) if last else np.fft.fft(row)
        yield transform.astype(np.complex64).reshape([-1 if a == axis else 1 for a in range(len(shape))])


def solve(problem, suite):
    shape = (problem.n1, problem.n2, problem.n3)
    lower = problem.lower
    taps = np.asarray(problem.taps, np.float32)
    volume = problem.inputs["input"].reshape(shape).astype(np.float32)

    ndimage = available("scipy.ndimage")
    if ndimage:
        suite.add(
            "scipy correlate1d along three axes", lambda: correlate_all(ndimage.correlate1d, volume, taps, lower)
        )
    fft = available("scipy.fft")
    if fft:
        first, second, third = symbols(shape, problem.taps, lower)
        symbol = first * second * third
        suite.add("scipy rfftn", lambda: fft.irfftn(symbol * fft.rfftn(volume), shape))
    suite.add("numpy, rolled and summed", lambda: rolled(np, volume, taps, lower))

    jax = available("jax")
    if jax:
        on_device, weights = jax.numpy.asarray(volume), jax.numpy.asarray(taps)
        convolve = jax.jit(lambda values: rolled(jax.numpy, values, weights, lower))
        suite.add("JAX, rolled and summed", lambda: convolve(on_device), wait=jax.block_until_ready, compiles=True)
    cupy_ndimage = available("cupyx.scipy.ndimage")
    if cupy_ndimage:
        import cupy

        device_volume, device_taps = cupy.asarray(volume), cupy.asarray(taps)
        suite.add(
            "CuPy correlate1d along three axes",
            lambda: correlate_all(cupy_ndimage.correlate1d, device_volume, device_taps, lower),
            wait=synchronised,
            to_numpy=cupy.asnumpy,
        )


main(solve)
