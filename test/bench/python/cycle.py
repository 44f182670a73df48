"""A forecast of all members by the Lax-Wendroff scheme, and its LETKF analysis in the dual form."""

import numpy as np

from harness import available, main, repeat_in_jax
from lax_wendroff import forecast, in_turn
from local_analysis import dual, neighbourhoods


def solve(problem, suite):
    members, cells = problem.members, problem.nx * problem.ny
    x, y = problem.inputs["positionX"], problem.inputs["positionY"]
    places = (y * problem.nx + x).astype(np.intp)
    indices, weights = neighbourhoods(problem, x, y)

    def cycle(xp, state, known, indices, weights, repeat=in_turn):
        """h is observed where a grid point is."""
        after = forecast(xp, state, problem, repeat)
        observed = after[:, 0].reshape(members, cells)[:, places]
        inputs = {"ensemble": after.reshape(-1), "observedEnsemble": observed, **known}
        return dual(xp, problem, inputs, indices, weights)

    state = problem.inputs["state"].reshape(members, 3, problem.ny, problem.nx).astype(np.float32)
    known = {name: problem.inputs[name].astype(np.float32) for name in ("values", "inverseErrorStd")}
    weights = weights.astype(np.float32)
    suite.add("numpy, sliced steps and dual LETKF", lambda: cycle(np, state, known, indices, weights))

    jax = available("jax")
    if jax:
        jnp = jax.numpy
        on_device = jnp.asarray(state)
        known_there = {name: jnp.asarray(values) for name, values in known.items()}
        indices_there, weights_there = jnp.asarray(indices), jnp.asarray(weights)
        run = jax.jit(lambda values: cycle(jnp, values, known_there, indices_there, weights_there, repeat_in_jax))
        suite.add("JAX, one jitted program", lambda: run(on_device), wait=jax.block_until_ready, compiles=True)


main(solve)
