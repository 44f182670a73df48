"""P_HT = (C o e e^T) H^T / (L - 1): with dense n x n arrays, and by blocks of rows within reach of the taper."""

import numpy as np

from harness import available, main, synchronised


def dense_taper(row, nx, ny):
    """C [n, n] from its first row: block Toeplitz with Toeplitz blocks."""
    lag_x = np.abs(np.arange(nx)[:, None] - np.arange(nx))
    blocks = row.reshape(ny, nx)[:, lag_x]
    lag_y = np.abs(np.arange(ny)[:, None] - np.arange(ny))
    return blocks[lag_y].transpose(0, 2, 1, 3).reshape(ny * nx, ny * nx)


def dense(e, taper, h, members):
    """e [L, n], H^T [n, m] -> [m, n]"""
    covariance = e.T @ e
    covariance *= taper
    return (covariance @ h).T / (members - 1)


def row_blocks(e, row, h, members, nx, ny, reach_y):
    """A row of the grid at a time, with the rows in reach of it."""
    result = np.empty((h.shape[1], ny * nx), np.float32)
    lag_x = np.abs(np.arange(nx)[:, None] - np.arange(nx))
    blocks = row.reshape(ny, nx)[:, lag_x]
    for y in range(ny):
        first, last = max(0, y - reach_y), min(ny, y + reach_y + 1)
        here, near = slice(y * nx, (y + 1) * nx), slice(first * nx, last * nx)
        sample = e[:, here].T @ e[:, near]
        taper = blocks[np.abs(np.arange(first, last) - y)].transpose(1, 0, 2).reshape(nx, -1)
        result[:, here] = ((sample * taper) @ h[near]).T
    result /= members - 1
    return result


def solve(problem, suite):
    nx, ny, members, m = problem.nx, problem.ny, problem.members, problem.observations
    n = nx * ny
    e = problem.inputs["anomalies"].reshape(members, n).astype(np.float32)
    row = problem.inputs["taperRow"].astype(np.float32)
    indptr, indices = (problem.inputs[name].astype(np.intp) for name in ("indptr", "indices"))
    h = np.zeros((n, m), np.float32)
    np.add.at(h, (indices, np.repeat(np.arange(m), np.diff(indptr))), problem.inputs["data"].astype(np.float32))

    suite.add("numpy by rows of the grid", lambda: row_blocks(e, row, h, members, nx, ny, problem.reachY))
    taper = dense_taper(row, nx, ny)
    suite.add("numpy, dense", lambda: dense(e, taper, h, members))
    sparse = available("scipy.sparse")
    if sparse:
        sparse_h = sparse.csc_matrix(h)

        def dense_with_sparse_h():
            covariance = e.T @ e
            covariance *= taper
            return (sparse_h.T @ covariance) / (members - 1)

        suite.add("numpy, dense, with scipy's sparse H", dense_with_sparse_h)

    jax = available("jax")
    if jax:
        on_device = [jax.numpy.asarray(array) for array in (e, taper, h)]
        product = jax.jit(lambda a, c, b: ((a.T @ a) * c @ b).T / (members - 1))
        suite.add("JAX, dense", lambda: product(*on_device), wait=jax.block_until_ready, compiles=True)
    cupy = available("cupy")
    if cupy:
        device_e, device_taper, device_h = (cupy.asarray(array) for array in (e, taper, h))
        suite.add(
            "CuPy, dense",
            lambda: dense(device_e, device_taper, device_h, members),
            wait=synchronised,
            to_numpy=cupy.asnumpy,
        )


main(solve)
