"""Point sets: boxes, sizes, and how far one set lies from another."""
import math


def box_size(rows):
    """The largest side of the bounding box."""
    return max(max(row[axis] for row in rows) - min(row[axis] for row in rows) for axis in range(3))


def farthest(points, others):
    """The largest distance from a point to the nearest of others."""
    cell = (box_size(others) or 1.0) / max(4.0, len(others) ** (1 / 3))
    grid = {}
    for other in others:
        grid.setdefault(tuple(int(math.floor(x / cell)) for x in other), []).append(other)
    return max(nearest(point, grid, cell) for point in points)


def nearest(point, grid, cell):
    centre = [int(math.floor(x / cell)) for x in point]
    best, ring = math.inf, 0
    while best > ((ring - 1) * cell if ring else -1.0):
        for place in shell(centre, ring):
            for other in grid.get(place, ()):
                best = min(best, math.dist(point, other))
        ring += 1
        if ring > 200:
            break
    return best


def shell(centre, ring):
    """The cells whose largest coordinate distance from centre is ring."""
    span = range(-ring, ring + 1)
    for x in span:
        for y in span:
            for z in (span if max(abs(x), abs(y)) == ring else ((-ring, ring) if ring else (0,))):
                yield centre[0] + x, centre[1] + y, centre[2] + z
