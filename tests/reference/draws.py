# SPDX-License-Identifier: MIT
"""Random numbers from a seed with Python's standard library alone, the same on every machine and in every version.

Only `random.Random.random` is used, whose sequence Python guarantees for a seed. The distributions are written out
here, because the standard library may change its own.
"""

import math
import random
import zlib


class Draws:
    def __init__(self, seed):
        """The seed is a number, or a word whose checksum is the number."""
        number = zlib.crc32(seed.encode()) if isinstance(seed, str) else seed
        self._source = random.Random(number)
        self._spare = None

    def uniform(self):
        """A number above 0 and below 1."""
        while True:
            value = self._source.random()
            if value > 0:
                return value

    def normal(self):
        """Standard normal by the transform of Box and Muller, which gives two at a time."""
        if self._spare is not None:
            value, self._spare = self._spare, None
            return value
        radius = math.sqrt(-2 * math.log(self.uniform()))
        angle = 2 * math.pi * self.uniform()
        self._spare = radius * math.sin(angle)
        return radius * math.cos(angle)

    def normals(self, count):
        return [self.normal() for _ in range(count)]

    def student(self, freedom):
        """Student's t with `freedom` degrees of freedom, a whole number."""
        square = sum(self.normal() ** 2 for _ in range(freedom))
        return self.normal() * math.sqrt(freedom / square)

    def exponential(self):
        return -math.log(self.uniform())

    def logistic(self):
        value = self.uniform()
        return math.log(value / (1 - value))

    def poisson(self, mean):
        """Counts the exponential waiting times that fit into `mean`; meant for means below some hundreds."""
        count, time = 0, self.exponential()
        while time < mean:
            count += 1
            time += self.exponential()
        return count

    def below(self, count):
        """A whole number from 0 to count - 1."""
        return int(self.uniform() * count)

    def some(self, chosen, count):
        """`chosen` different numbers below `count`, in random order."""
        places = list(range(count))
        for k in range(chosen):
            other = k + self.below(count - k)
            places[k], places[other] = places[other], places[k]
        return places[:chosen]
