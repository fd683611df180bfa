extension Count {
    /// Adds the number of lanes in which it happened. Stays at 2⁶⁴ − 1 on overflow.
    @inlinable @inline(__always)
    public mutating func add(_ happened: LaneMask) { add(UInt32(truncatingIfNeeded: happened.count)) }
}

/// An accumulator that takes the numbers of lanes one by one.
public protocol NumberByNumber: Accumulator {
    /// Adds a number.
    mutating func add(_ x: Double)
}

extension NumberByNumber {
    /// Adds the numbers of all lanes.
    @inlinable @inline(__always)
    public mutating func add(_ x: Lane<Double>) { add(x, where: LaneMask(true)) }

    /// Adds the numbers of the lanes in which the condition holds.
    @inlinable
    public mutating func add(_ x: Lane<Double>, where mask: LaneMask) {
        for lane in 0..<RandomStream.lanes where mask[lane] { add(x[lane]) }
    }
}

extension Minimum: NumberByNumber {}
extension Maximum: NumberByNumber {}
extension Histogram: NumberByNumber {}
extension Quantiles: NumberByNumber {}

extension Comoments {
    /// Adds the numbers of all lanes.
    @inlinable @inline(__always)
    public mutating func add(_ numbers: [size of Lane<Double>]) { add(numbers, where: LaneMask(true)) }

    /// Adds the numbers of the lanes in which the condition holds.
    @inlinable
    public mutating func add(_ numbers: [size of Lane<Double>], where mask: LaneMask) {
        for lane in 0..<RandomStream.lanes where mask[lane] { add([size of Double] { numbers[$0][lane] }) }
    }
}

extension Pairs {
    /// Adds the pairs of all lanes.
    @inlinable @inline(__always)
    public mutating func add(_ x: Lane<Double>, _ y: Lane<Double>) { add(x, y, where: LaneMask(true)) }

    /// Adds the pairs of the lanes in which the condition holds.
    @inlinable
    public mutating func add(_ x: Lane<Double>, _ y: Lane<Double>, where mask: LaneMask) {
        for lane in 0..<RandomStream.lanes where mask[lane] { add(x[lane], y[lane]) }
    }
}

extension Histogram2D {
    /// Adds the pairs of all lanes.
    @inlinable @inline(__always)
    public mutating func add(_ x: Lane<Double>, _ y: Lane<Double>) { add(x, y, where: LaneMask(true)) }

    /// Adds the pairs of the lanes in which the condition holds.
    @inlinable
    public mutating func add(_ x: Lane<Double>, _ y: Lane<Double>, where mask: LaneMask) {
        for lane in 0..<RandomStream.lanes where mask[lane] { add(x[lane], y[lane]) }
    }
}

extension Counts {
    /// Counts the categories of all lanes.
    @inlinable @inline(__always)
    public mutating func add(_ categories: Lane<Int32>) { add(categories, where: LaneMask(true)) }

    /// Counts the categories of the lanes in which the condition holds.
    @inlinable
    public mutating func add(_ categories: Lane<Int32>, where mask: LaneMask) {
        for lane in 0..<RandomStream.lanes where mask[lane] { add(Int(categories[lane])) }
    }
}

extension Series {
    /// Adds the numbers of all lanes at a time.
    @inlinable @inline(__always)
    public mutating func add(_ time: Int, _ x: Lane<Double>) { change(time) { $0.add(x) } }

    /// Adds the numbers of the lanes in which the condition holds.
    @inlinable
    public mutating func add(_ time: Int, _ x: Lane<Double>, where mask: LaneMask) {
        change(time) { $0.add(x, where: mask) }
    }
}
