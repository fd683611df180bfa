/// The ranks of a communicator on a grid of one or more dimensions. Ranks are counted along the last dimension first, as
/// the elements of a matrix by rows.
public struct Grid {
    /// The communicator of the grid, which has the same ranks in the same order.
    public let communicator: Communicator
    /// The number of places along each dimension.
    public let dimensions: [Int]
    /// Whether the last place of each dimension is next to the first one.
    public let periodic: [Bool]
    /// This rank's place along each dimension.
    public let coordinates: [Int]

    fileprivate init(_ communicator: Communicator, _ dimensions: [Int], _ periodic: [Bool]) {
        self.communicator = communicator
        self.dimensions = dimensions
        self.periodic = periodic
        coordinates = Self.coordinates(communicator.rank, dimensions)
    }

    /// Returns the place of a rank along each dimension.
    public func coordinates(of rank: Int) -> [Int] {
        _ = communicator.member(rank, "coordinates")
        return Self.coordinates(rank, dimensions)
    }

    private static func coordinates(_ rank: Int, _ dimensions: [Int]) -> [Int] {
        var rest = rank
        var result = dimensions
        for axis in dimensions.indices.reversed() {
            result[axis] = rest % dimensions[axis]
            rest /= dimensions[axis]
        }
        return result
    }

    /// Returns the rank at a place; nil outside of the grid. Along a periodic dimension nothing is outside.
    public func rank(at place: [Int]) -> Int? {
        guard place.count == dimensions.count else {
            communicator.world.fail(
                "rank(at:)", "the grid has ", dimensions.count, " dimensions, and the place has ", place.count)
        }
        var rank = 0
        for axis in dimensions.indices {
            let size = dimensions[axis]
            let inside = (place[axis] % size + size) % size
            if !periodic[axis] && inside != place[axis] { return nil }
            rank = rank * size + inside
        }
        return rank
    }

    /// Returns the neighbours for moving data `distance` places along an axis: the rank to receive from, and the one to
    /// send to. Outside of the grid there is nil, which `sendReceive` accepts.
    public func shift(along axis: Int, by distance: Int = 1) -> (source: Int?, destination: Int?) {
        guard dimensions.indices.contains(axis) else {
            communicator.world.fail("shift", "there is no axis ", axis, "; the grid has ", dimensions.count)
        }
        var place = coordinates
        place[axis] -= distance
        let source = rank(at: place)
        place[axis] += 2 * distance
        return (source, rank(at: place))
    }

    /// The ranks next to this one, along each axis the one before and the one after it.
    public var neighbours: [Int] {
        var ranks: [Int] = []
        for axis in dimensions.indices {
            let (before, after) = shift(along: axis)
            if let before { ranks.append(before) }
            if let after { ranks.append(after) }
        }
        return ranks
    }
}

extension Communicator {
    /// Arranges the ranks on a grid. All ranks must call it.
    ///
    /// - Parameters:
    ///   - dimensions: the number of places along each dimension. Their product must be the number of ranks;
    ///     `balancedDimensions` computes such numbers.
    ///   - periodic: whether the last place of each dimension is next to the first one. By default none is.
    public func grid(dimensions: [Int], periodic: [Bool]? = nil) -> Grid {
        let periodic = periodic ?? [Bool](repeating: false, count: dimensions.count)
        guard periodic.count == dimensions.count else {
            world.fail("grid", "there are ", dimensions.count, " dimensions and ", periodic.count, " periods")
        }
        for count in dimensions where count < 1 { world.fail("grid", "a dimension must not be ", count) }
        let places = dimensions.reduce(1, *)
        guard places == size else { world.fail("grid", "it has ", places, " places, and there are ", size, " ranks") }
        return Grid(duplicate(), dimensions, periodic)
    }

    /// Returns the dimensions of a grid for all ranks that are as equal as possible, the largest first: 4 and 3 for 12
    /// ranks in 2 dimensions.
    public func balancedDimensions(_ count: Int = 2) -> [Int] {
        guard count > 0 else { world.fail("balancedDimensions", "their number must not be ", count) }
        var result: [Int] = []
        var rest = size
        for left in Swift.stride(from: count, to: 0, by: -1) {
            // The smallest divisor whose power reaches the rest leaves the others no larger.
            let divisor = (1...rest).first { divisor in
                rest % divisor == 0 && (0..<left).reduce(1) { product, _ in min(product * divisor, rest) } >= rest
            }
            result.append(divisor ?? rest)
            rest /= divisor ?? rest
        }
        return result.sorted(by: >)
    }
}
