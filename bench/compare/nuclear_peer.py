# SPDX-License-Identifier: MIT
"""What alo's matrix regressions are compared with, written in numpy: accelerated proximal gradient steps for

    |y - X b|^2 / 2 + lambda |B|_*,    b = B row by row,

along falling lambda, each from the solution before, and the dense formula of approximate leave-one-out at each."""

import time
from dataclasses import dataclass

import numpy

LOOK = 5  # iterations from one look at the gap to the next
MOST_ITERATIONS = 1_000_000


@dataclass
class Solution:
    b: numpy.ndarray
    slopes: numpy.ndarray  # X'(y - X b)
    gap: float
    iterations: int


class Regression:
    """Products with X go through X'X where X has no more columns than rows."""

    def __init__(self, X, y, shape):
        self.X, self.y, self.shape = X, y, shape
        self.by_gram = X.shape[1] <= X.shape[0]
        products = X.T @ X if self.by_gram else X @ X.T
        self.gram = products if self.by_gram else None
        self.correlations = X.T @ y
        self.squares = y @ y
        self.step = 1.0 / numpy.linalg.eigvalsh(products)[-1]

    def slopes(self, b):
        return self.correlations - (self.gram @ b if self.by_gram else self.X.T @ (self.X @ b))

    def residual_squares(self, b, slopes):
        """|y - X b|^2, for which y'X b = b'X'y and |X b|^2 = b'(X'y - slopes)."""
        if self.by_gram:
            return self.squares - b @ (self.correlations + slopes)
        residual = self.y - self.X @ b
        return residual @ residual

    def gap(self, b, slopes, nuclear_norm, penalty):
        """(P - D) / (|y|^2 / 2), the dual point being the residual times the largest s <= 1 that the spectral norm
        allows: P - D = (1 - s)^2 |r|^2 / 2 + lambda |B|_* - s <B, X'r>."""
        largest = numpy.linalg.svd(slopes.reshape(self.shape), compute_uv=False)[0]
        s = min(1.0, penalty / largest)
        fenchel = penalty * nuclear_norm - s * (b @ slopes)
        return (0.5 * (1.0 - s) ** 2 * self.residual_squares(b, slopes) + fenchel) / (0.5 * self.squares)

    def proximal(self, b, threshold):
        U, s, Vt = numpy.linalg.svd(b.reshape(self.shape), full_matrices=False)
        kept = numpy.maximum(s - threshold, 0.0)
        rank = numpy.count_nonzero(kept)
        return ((U[:, :rank] * kept[:rank]) @ Vt[:rank]).ravel(), kept.sum()

    def solve(self, penalty, start, tolerance):
        """Steps of Beck and Teboulle (2009), their momentum lost where it leads uphill (O'Donoghue and Candes 2015).
        Slopes are affine in b: those where a step begins need no product of their own."""
        b, slopes = start
        ahead, ahead_slopes, momentum = b, slopes, 1.0
        for iteration in range(1, MOST_ITERATIONS):
            following, norm = self.proximal(ahead + self.step * ahead_slopes, self.step * penalty)
            following_slopes = self.slopes(following)
            if iteration % LOOK == 0:
                gap = self.gap(following, following_slopes, norm, penalty)
                if gap <= tolerance:
                    return Solution(following, following_slopes, gap, iteration)
            if (ahead - following) @ (following - b) > 0.0:
                momentum = 1.0
            larger = 0.5 * (1.0 + numpy.sqrt(1.0 + 4.0 * momentum**2))
            push, momentum = (momentum - 1.0) / larger, larger
            ahead = following + push * (following - b)
            ahead_slopes = following_slopes + push * (following_slopes - slopes)
            b, slopes = following, following_slopes
        raise SystemExit(f"lambda = {penalty:g}: a gap of {gap:.1e} after {MOST_ITERATIONS} iterations")


def curvature(shape, values, inner):
    """G of the directions u_k v_l', k and l from 0, and where these are among all p1 p2. `values` are the singular
    values of B, `inner` those of the rest of the dual point."""
    p1, p2 = shape
    rank, both = len(values), min(shape)
    k, l = (index.ravel() for index in numpy.indices(shape))
    tangent = numpy.flatnonzero((k < rank) | (l < rank))
    k, l = k[tangent], l[tangent]
    places = numpy.full(shape, -1)
    places[k, l] = numpy.arange(len(tangent))
    padded = numpy.concatenate([values, numpy.zeros(max(shape) - rank)])
    partner = numpy.concatenate([numpy.ones(rank), inner, numpy.zeros(max(shape) - both)])
    own = numpy.where(k == l, 0.0, 1.0 / (padded[k] + padded[l]))
    G = numpy.diag(own)
    paired = numpy.flatnonzero((k != l) & (k < both) & (l < both))
    across = places[l[paired], k[paired]]
    G[paired, across] = -own[paired] * partner[numpy.maximum(k, l)[paired]]
    return G, tangent


def approximate_leave_one_out(problem, solution, penalty):
    """Held-out predictions: all of A = u_k'X_i v_l, the matrix G, one solve."""
    n, (p1, p2) = len(problem.y), problem.shape
    fitted = problem.X @ solution.b
    U, s, Vt = numpy.linalg.svd(solution.b.reshape(problem.shape))
    rank = numpy.count_nonzero(s > 1e-12 * s[0]) if s[0] > 0.0 else 0
    if rank == 0:
        return fitted
    # Complements of the singular vectors in which the rest of the dual point is diagonal.
    inner = U[:, rank:].T @ (solution.slopes.reshape(problem.shape) / penalty) @ Vt[rank:].T
    P, g, Rt = numpy.linalg.svd(inner)
    U[:, rank:] = U[:, rank:] @ P
    Vt[rank:] = Rt @ Vt[rank:]
    G, tangent = curvature(problem.shape, s[:rank], g)
    by_right = (problem.X.reshape(n * p1, p2) @ Vt.T).reshape(n, p1, p2)
    A = numpy.matmul(U.T, by_right).reshape(n, p1 * p2)[:, tangent]
    solved = numpy.linalg.solve(A.T @ A + penalty * G, A.T)
    leverages = (A.T * solved).sum(axis=0)
    return problem.y - (problem.y - fitted) / (1.0 - leverages)


def path(X, y, shape, lambdas, tolerance):
    """CPU seconds, solutions and held-out predictions, one a column."""
    start = time.process_time()
    problem = Regression(X, y, shape)
    last, solutions, held_out = (numpy.zeros(X.shape[1]), problem.correlations), [], []
    for penalty in lambdas:
        solutions.append(problem.solve(penalty, last, tolerance))
        last = solutions[-1].b, solutions[-1].slopes
        held_out.append(approximate_leave_one_out(problem, solutions[-1], penalty))
    return time.process_time() - start, solutions, numpy.column_stack(held_out)
