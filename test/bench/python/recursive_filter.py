"""The K-iterated recursive filter: scipy.signal.lfilter forth and back, and what is quicker."""

import numpy as np

from harness import available, main, synchronised


# A Gaussian is not the filter: at ten iterations they are some per cent apart.
GAUSSIAN_TOLERANCE = 0.1


def coefficients(sigma, iterations):
    """alpha, beta and M of the filter."""
    e = iterations / sigma**2
    alpha = 1 + e - np.sqrt(e * (e + 2))
    return alpha, 1 - alpha, 1 / (1 + alpha)


def sweeps(lfilter, field, sigma, iterations):
    """The filter along the last axis, as lfilter makes it: in float64, which is what it computes in."""
    alpha, beta, end = coefficients(sigma, iterations)
    numerator, denominator = np.array([beta]), np.array([1, -alpha])
    for k in range(iterations):
        first = field[..., :1] * ((beta if k == 0 else end) - beta)
        forth, _ = lfilter(numerator, denominator, field, zi=first)
        back = forth[..., ::-1]
        back, _ = lfilter(numerator, denominator, back, zi=back[..., :1] * (end - beta))
        field = back[..., ::-1]
    return field


def impulse_response(sigma, iterations):
    """Taps of all iterations together away from the ends, down to what float32 sees."""
    reach = int(np.ceil(8 * sigma)) + 8
    frequency = 2 * np.pi * np.fft.rfftfreq(8 * reach)
    symbol = (1 + sigma**2 * (1 - np.cos(frequency)) / iterations) ** -float(iterations)
    taps = np.fft.irfft(symbol)
    return np.concatenate([taps[-reach:], taps[: reach + 1]]), reach


def solve(problem, suite):
    signal = available("scipy.signal")
    ndimage = available("scipy.ndimage")
    nx, ny, k, sigma = problem.nx, problem.ny, problem.iterations, problem.sigmaX
    field = problem.inputs["input"]

    if ny == 1:
        if signal:
            suite.add("scipy lfilter, float64", lambda: sweeps(signal.lfilter, field, sigma, k))
        taps, reach = impulse_response(sigma, k)
        taps32, field32 = taps.astype(np.float32), field.astype(np.float32)
        suite.add(
            "numpy convolve with the taps of all iterations",
            lambda: np.convolve(field32, taps32, "same"),
            note=f"without the {2 * reach} points at both ends, which have weights of their own",
            ends=2 * reach,
        )
        return

    plane = field.reshape(ny, nx)
    if signal:

        def both_axes():
            along_x = sweeps(signal.lfilter, plane, sigma, k)
            return sweeps(signal.lfilter, along_x.T, sigma, k).T

        suite.add("scipy lfilter along both axes, float64", both_axes)
    plane32 = plane.astype(np.float32)
    gaussian = "a Gaussian: what the filter tends to as K grows, not the filter"
    if ndimage:
        suite.add(
            "scipy gaussian_filter",
            lambda: ndimage.gaussian_filter(plane32, sigma, mode="constant"),
            note=gaussian,
            tolerance=GAUSSIAN_TOLERANCE,
        )
    cupy_ndimage = available("cupyx.scipy.ndimage")
    if cupy_ndimage:
        import cupy

        on_device = cupy.asarray(plane32)
        suite.add(
            "CuPy gaussian_filter",
            lambda: cupy_ndimage.gaussian_filter(on_device, sigma, mode="constant"),
            wait=synchronised,
            to_numpy=cupy.asnumpy,
            note=gaussian,
            tolerance=GAUSSIAN_TOLERANCE,
        )
    jax = available("jax")
    if jax:
        jnp = jax.numpy
        taps, reach = impulse_response(sigma, k)
        weights = jnp.asarray(taps, jnp.float32)

        @jax.jit
        def filtered(values):
            for axis in (0, 1):
                pad = [(reach, reach) if a == axis else (0, 0) for a in (0, 1)]
                padded = jnp.pad(values, pad)
                size = values.shape[axis]
                values = sum(
                    weights[j] * jax.lax.slice_in_dim(padded, j, j + size, axis=axis) for j in range(len(taps))
                )
            return values

        device_plane = jnp.asarray(plane32)
        suite.add(
            "JAX, taps of all iterations",
            lambda: filtered(device_plane),
            wait=jax.block_until_ready,
            compiles=True,
            note="zeros beyond the edge, where the filter has weights of its own",
            tolerance=1,
        )


main(solve)
