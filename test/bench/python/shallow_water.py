"""Steps of the Lax-Wendroff scheme, on all members at once."""

import numpy as np

from harness import available, main, repeat_in_jax, synchronised
from lax_wendroff import forecast


def solve(problem, suite):
    state = problem.inputs["state"].reshape(problem.members, 3, problem.ny, problem.nx)
    state32 = state.astype(np.float32)
    suite.add("numpy, sliced", lambda: forecast(np, state32, problem))
    suite.add("numpy, sliced, float64", lambda: forecast(np, state, problem))

    jax = available("jax")
    if jax:
        on_device = jax.numpy.asarray(state32)
        steps = jax.jit(lambda values: forecast(jax.numpy, values, problem, repeat_in_jax))
        suite.add("JAX", lambda: steps(on_device), wait=jax.block_until_ready, compiles=True)
    cupy = available("cupy")
    if cupy:
        device_state = cupy.asarray(state32)
        suite.add(
            "CuPy, sliced",
            lambda: forecast(cupy, device_state, problem),
            wait=synchronised,
            to_numpy=cupy.asnumpy,
        )


main(solve)
