import PotluckKit

// The functions that a library of lanes exports. It runs blocks of the built-in simulations with lanes, and multiplies rows
// for the matrix product. The functions' names contain the hash of all that the library is made of, so that a program finds only those that it knows.
// `Tools/lanes` inserts the hash, and a line for each simulation.

/// Returns a simulation with these parameters; nil if the library lacks it or does not take them. Only one thread may call
/// this at a time, because parameters are read through a variable of the kit.
@_cdecl("potluck_lanes_HashOfTheSources_prepare")
public func potluckLanesPrepare(
    _ name: UnsafePointer<CChar>, _ parameters: UnsafePointer<UInt64>, _ count: Int
) -> UnsafeMutableRawPointer? {
    let parameters = Array(UnsafeBufferPointer(start: parameters, count: count))
    // A line for each simulation.
    return nil
}

/// Runs the blocks of a chunk. Returns how many ran; -1 if the tally has another number of slots.
///
/// - Parameters:
///   - request: the seed, the first block, the block after the last, and the trials of the whole job.
///   - shouldStop: is asked with `context` before each block.
///   - slots: gets the tally.
@_cdecl("potluck_lanes_HashOfTheSources_run")
public func potluckLanesRun(
    _ prepared: UnsafeMutableRawPointer, _ request: UnsafePointer<UInt64>,
    _ shouldStop: @convention(c) (UnsafeMutableRawPointer?) -> Bool, _ context: UnsafeMutableRawPointer?,
    _ slots: UnsafeMutablePointer<UInt64>, _ count: Int
) -> Int {
    let prepared = Unmanaged<PreparedLanes>.fromOpaque(prepared).takeUnretainedValue()
    return prepared.run(
        request, { shouldStop(context) }, UnsafeMutableBufferPointer(start: slots, count: count))
}

/// Ends the use of what `prepare` returned.
@_cdecl("potluck_lanes_HashOfTheSources_forget")
public func potluckLanesForget(_ prepared: UnsafeMutableRawPointer) {
    Unmanaged<PreparedLanes>.fromOpaque(prepared).release()
}

/// Multiplies some rows of a matrix by another one in panels, as `MatrixProduct.Kernel` does.
@_cdecl("potluck_lanes_HashOfTheSources_multiply")
public func potluckLanesMultiply(
    _ left: UnsafePointer<Double>, _ rows: Int, _ inner: Int, _ right: UnsafePointer<Double>, _ panels: Int,
    _ sums: UnsafeMutablePointer<Double>
) {
    matrixProduct(left, rows, inner, right, panels, sums)
}

/// A simulation with its parameters.
private final class PreparedLanes {
    let run: (UnsafePointer<UInt64>, _ shouldStop: () -> Bool, UnsafeMutableBufferPointer<UInt64>) -> Int

    /// Returns one, retained; nil if the parameters are refused.
    static func made<S: LaneSimulation>(_: S.Type, _ parameters: [UInt64]) -> UnsafeMutableRawPointer? {
        let (simulation, reader) = ParameterReader.make(S.self, given: parameters)
        guard parameters.count == reader.declared.count, reader.refused == nil else { return nil }
        return Unmanaged.passRetained(PreparedLanes(simulation)).toOpaque()
    }

    private init<S: LaneSimulation>(_ simulation: S) {
        run = { request, shouldStop, slots in
            let (seed, first, end, trials) = (request[0], request[1], request[2], request[3])
            var tally = S.Tally()
            guard slots.count == S.Tally.slotCount else { return -1 }
            let size = UInt64(simulation.blockSize)
            var block = first
            while block < end && !shouldStop() {
                let done = block.multipliedReportingOverflow(by: size)
                let left = done.overflow || trials < done.partialValue ? 0 : trials &- done.partialValue
                simulation.runLanes(block: block, trials: Int(min(left, size)), seed: seed, into: &tally)
                block &+= 1
            }
            let result = tally.slots(slots.count)
            for index in result.indices { slots[index] = result[index] }
            return Int(block &- first)
        }
    }
}

extension StaticString {
    fileprivate func isSame(as name: UnsafePointer<CChar>) -> Bool {
        for index in 0..<utf8CodeUnitCount where UInt8(bitPattern: name[index]) != utf8Start[index] { return false }
        return name[utf8CodeUnitCount] == 0
    }
}
