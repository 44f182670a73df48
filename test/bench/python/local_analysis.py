"""The LETKF of all grid points at once, written with stacked matrices: for numpy, JAX and CuPy."""

import numpy as np


def gaspari_cohn(z):
    """The fifth-order function of support 2."""
    near = 1 + z**2 * (-5 / 3 + z * (5 / 8 + z * (1 / 2 - z / 4)))
    far = np.maximum(z, 1)
    beyond = 4 - 5 * far + far**2 * (5 / 3 + far * (5 / 8 + far * (-1 / 2 + far / 12))) - 2 / (3 * far)
    return np.where(z <= 1, near, np.where(z < 2, np.maximum(beyond, 0), 0))


def neighbourhoods(problem, x, y):
    """Observations in reach of each grid point [cells, l] and their weights, filled with weight 0.

    Found once and not timed, as a program would that observes the same places in each cycle.
    """
    nx, ny, half_width, most = problem.nx, problem.ny, problem.halfWidthCells, problem.localCapacity
    column, row = np.meshgrid(np.arange(nx), np.arange(ny))
    indices = np.zeros((ny * nx, most), np.intp)
    weights = np.zeros((ny * nx, most))
    for first in range(0, ny * nx, 4096):
        cells = slice(first, first + 4096)
        distance = np.hypot(column.ravel()[cells, None] - x, row.ravel()[cells, None] - y)
        nearest = np.argpartition(distance, most - 1, axis=1)[:, :most]
        indices[cells] = nearest
        weights[cells] = gaspari_cohn(np.take_along_axis(distance, nearest, 1) / half_width)
    return indices, weights


def local_arrays(xp, problem, inputs, indices, weights):
    """sqrt(w) R^-1/2 Y [cells, l, k] and sqrt(w) R^-1/2 (y - mean Y) [cells, l]."""
    k = problem.members
    observed = inputs["observedEnsemble"].reshape(k, -1)
    mean = observed.mean(0)
    anomalies = ((observed - mean) * inputs["inverseErrorStd"]).T
    innovations = (inputs["values"] - mean) * inputs["inverseErrorStd"]
    root = xp.sqrt(weights)
    return root[:, :, None] * anomalies[indices], root * innovations[indices]


def members_of(xp, problem, ensemble):
    """Mean [cells, v, 1] and anomalies [cells, v, k]."""
    state = xp.transpose(ensemble.reshape(problem.members, problem.variables, -1), (2, 1, 0))
    mean = state.mean(2, keepdims=True)
    return mean, state - mean


def arranged(xp, analysis):
    """[cells, v, k] as the ensemble is laid out."""
    return xp.transpose(analysis, (2, 1, 0))


def primal(xp, problem, inputs, indices, weights):
    """By an eigendecomposition of k x k a grid point, as the method is published."""
    k, rho = problem.members, problem.inflation
    s, d = local_arrays(xp, problem, inputs, indices, weights)
    mean, x = members_of(xp, problem, inputs["ensemble"])
    transposed = xp.transpose(s, (0, 2, 1))
    precision = transposed @ s + xp.float32((k - 1) / rho) * xp.eye(k, dtype=s.dtype)
    values, vectors = xp.linalg.eigh(precision)
    back = xp.transpose(vectors, (0, 2, 1))
    root = (vectors * xp.sqrt((k - 1) / values)[:, None, :].astype(s.dtype)) @ back
    gradient = transposed @ d[:, :, None]
    mean_weights = vectors @ ((back @ gradient) / values[:, :, None])
    return arranged(xp, mean + x @ (root + mean_weights))


def dual(xp, problem, inputs, indices, weights):
    """By an eigendecomposition of l x l a grid point: the same analysis where observations are fewer than members."""
    k, rho = problem.members, problem.inflation
    s, d = local_arrays(xp, problem, inputs, indices, weights)
    s = s * xp.float32(np.sqrt(rho / (k - 1)))
    mean, x = members_of(xp, problem, inputs["ensemble"])
    transposed = xp.transpose(s, (0, 2, 1))
    values, vectors = xp.linalg.eigh(s @ transposed)
    values = xp.maximum(values, 0)
    back = xp.transpose(vectors, (0, 2, 1))
    root = xp.sqrt(1 + values)
    q = (x @ transposed) @ vectors
    shift = xp.float32(np.sqrt(rho / (k - 1))) * (q / (1 + values)[:, None, :]) @ (back @ d[:, :, None])
    correction = (q / (root * (1 + root))[:, None, :]) @ back @ s
    return arranged(xp, mean + shift + xp.float32(np.sqrt(rho)) * (x - correction))


def newton_schulz(xp, problem, inputs, indices, weights, iterations=14):
    """By coupled Newton-Schulz iterations for (I + G)^-1/2: nothing but products, which GPUs like."""
    k, rho = problem.members, problem.inflation
    s, d = local_arrays(xp, problem, inputs, indices, weights)
    s = s * xp.float32(np.sqrt(rho / (k - 1)))
    mean, x = members_of(xp, problem, inputs["ensemble"])
    transposed = xp.transpose(s, (0, 2, 1))
    one = xp.eye(s.shape[1], dtype=s.dtype)
    matrix = s @ transposed + one
    trace = xp.trace(matrix, axis1=1, axis2=2)[:, None, None]
    y, z = matrix / trace, xp.broadcast_to(one, matrix.shape)
    for _ in range(iterations):
        t = (3 * one - z @ y) / 2
        y, z = y @ t, t @ z
    inverse_root = z / xp.sqrt(trace)
    inverse = inverse_root @ inverse_root
    # With R = (I + G)^-1/2: (I - R) G^-1 = R^2 (I + R)^-1, without cancellation.
    deficit = inverse @ xp.linalg.inv(one + inverse_root)
    q = x @ transposed
    shift = xp.float32(np.sqrt(rho / (k - 1))) * q @ (inverse @ d[:, :, None])
    return arranged(xp, mean + shift + xp.float32(np.sqrt(rho)) * (x - (q @ deficit) @ s))
