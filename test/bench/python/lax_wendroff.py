"""Moler's two-step Lax-Wendroff scheme between walls, for numpy and JAX: arrays [..., y, x], sliced."""


def with_ghosts(xp, h, hu, hv):
    """One ring of ghost cells: the momentum normal to a wall changes its sign."""

    def padded(values, sign_x, sign_y):
        columns = xp.concatenate([sign_x * values[..., :1], values, sign_x * values[..., -1:]], -1)
        return xp.concatenate([sign_y * columns[..., :1, :], columns, sign_y * columns[..., -1:, :]], -2)

    return padded(h, 1, 1), padded(hu, -1, 1), padded(hv, 1, -1)


def face_flux(h, normal, tangential, left, right, ratio, g):
    """The flux through the faces between `left` and `right` cells, from the state half a step later."""
    ha, hb = h[left], h[right]
    na, nb, ta, tb = normal[left], normal[right], tangential[left], tangential[right]
    ua, ub = na / ha, nb / hb
    depth = 0.5 * (ha + hb) - ratio * (nb - na)
    along = 0.5 * (na + nb) - ratio * (nb * ub + 0.5 * g * hb * hb - (na * ua + 0.5 * g * ha * ha))
    across = 0.5 * (ta + tb) - ratio * (tb * ub - ta * ua)
    speed = along / depth
    return along, along * speed + 0.5 * g * depth * depth, across * speed


WEST, EAST = (Ellipsis, slice(1, -1), slice(None, -1)), (Ellipsis, slice(1, -1), slice(1, None))
SOUTH, NORTH = (Ellipsis, slice(None, -1), slice(1, -1)), (Ellipsis, slice(1, None), slice(1, -1))


def step(xp, state, dt, dx, dy, g):
    """h, hu, hv one step later."""
    h, hu, hv = with_ghosts(xp, *state)
    depth_x, normal_x, tangential_x = face_flux(h, hu, hv, WEST, EAST, dt / (2 * dx), g)
    depth_y, normal_y, tangential_y = face_flux(h, hv, hu, SOUTH, NORTH, dt / (2 * dy), g)

    def change(through_x, through_y):
        return dt / dx * (through_x[..., 1:] - through_x[..., :-1]) + dt / dy * (
            through_y[..., 1:, :] - through_y[..., :-1, :]
        )

    return (
        state[0] - change(depth_x, depth_y),
        state[1] - change(normal_x, tangential_y),
        state[2] - change(tangential_x, normal_y),
    )


def in_turn(count, function, value):
    """The function applied so many times; JAX has a form of its own that it compiles once."""
    for _ in range(count):
        value = function(value)
    return value


def forecast(xp, state, problem, repeat=in_turn):
    """The state [members, 3, ny, nx] after all steps of a run."""
    parts = tuple(state[:, v] for v in range(3))
    after = repeat(
        problem.steps, lambda now: step(xp, now, problem.timeStep, problem.dx, problem.dy, problem.gravity), parts
    )
    return xp.stack(after, 1)
