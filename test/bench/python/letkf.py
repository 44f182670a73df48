"""The LETKF analysis of every grid point: stacked eigendecompositions, as published and in the dual form."""

import numpy as np

from harness import available, main, synchronised
from local_analysis import dual, neighbourhoods, newton_schulz, primal

REALS = ("ensemble", "observedEnsemble", "values", "inverseErrorStd")


def solve(problem, suite):
    k, most = problem.members, problem.localCapacity
    indices, weights = neighbourhoods(problem, problem.inputs["positionX"], problem.inputs["positionY"])
    weights = weights.astype(np.float32)
    inputs = {name: problem.inputs[name].astype(np.float32) for name in REALS}
    suite.add(f"numpy eigh {k}×{k}", lambda: primal(np, problem, inputs, indices, weights))
    suite.add(f"numpy eigh {most}×{most} (dual)", lambda: dual(np, problem, inputs, indices, weights))

    jax = available("jax")
    if jax:
        jnp = jax.numpy
        device_inputs = {name: jnp.asarray(values) for name, values in inputs.items()}
        device_indices, device_weights = jnp.asarray(indices), jnp.asarray(weights)
        for form, title in (
            (primal, f"JAX eigh {k}×{k}"),
            (dual, f"JAX eigh {most}×{most} (dual)"),
            (newton_schulz, "JAX Newton–Schulz (dual)"),
        ):
            analyse = jax.jit(lambda values, form=form: form(jnp, problem, values, device_indices, device_weights))
            suite.add(title, lambda analyse=analyse: analyse(device_inputs), wait=jax.block_until_ready, compiles=True)
    cupy = available("cupy")
    if cupy:
        device_inputs = {name: cupy.asarray(values) for name, values in inputs.items()}
        device_indices, device_weights = cupy.asarray(indices), cupy.asarray(weights)
        suite.add(
            f"CuPy eigh {most}×{most} (dual)",
            lambda: dual(cupy, problem, device_inputs, device_indices, device_weights),
            wait=synchronised,
            to_numpy=cupy.asnumpy,
        )


main(solve)
