// The functions that a module in Python exports. Those of simulations and of gatherings differ, so that a module has only the
// code of its own.

nonisolated(unsafe) private var request = RecordMemory()
nonisolated(unsafe) var output = Output()

@_expose(wasm, "potluck_abi") @_cdecl("potluck_abi")
public func potluckInterface() -> UInt32 { ModuleInterface.version }

@_expose(wasm, "potluck_alloc") @_cdecl("potluck_alloc")
public func potluckAllocate(_ octets: UInt32) -> UInt32 { request.allocate(octets) }

/// Nothing outlives a call, because the language has no way to keep something.
@_expose(wasm, "potluck_kept") @_cdecl("potluck_kept")
public func potluckKept() -> UInt64 { 0 }

/// Why the kit stopped.
@_expose(wasm, "rt_why") @_cdecl("rt_why")
public func why() -> UInt64 { Misuse.place() }

@_expose(wasm, "rt_configure_tally") @_cdecl("rt_configure_tally")
public func configureTally(_ address: UInt32, _ octets: UInt32) -> UInt64 {
    configure(RecordMemory.slots(address, octets))
    return answer.place
}

@_expose(wasm, "rt_configure_collect") @_cdecl("rt_configure_collect")
public func configureCollect(_ address: UInt32, _ octets: UInt32) -> UInt64 {
    if configure(RecordMemory.slots(address, octets)) {
        answer.put(authorUnits())
        answer.put(Layout.author.pointee.writes)
    }
    return answer.place
}

/// Appends the verdict about parameters and tables. Returns whether the simulation is ready.
@discardableResult
private func configure(_ given: UnsafeBufferPointer<UInt64>) -> Bool {
    answer.begin()
    let parameters = Layout.author.pointee.parameters.entries
    // The count, a slot for each, and the length of the payload.
    guard given.count >= parameters.count + 2, given[0] == UInt64(parameters.count) else {
        answer.put(ModuleInterface.Verdict.wrongCount.rawValue)
        return false
    }
    for index in parameters.indices where !parameters[index].contains(given[index + 1]) {
        answer.put(ModuleInterface.Verdict.outOfRange.rawValue)
        answer.put(index)
        return false
    }
    if Layout.author.pointee.inputs.count > 0 {
        // The numbers stay where they are: they may be half of the memory that a module may have.
        request = RecordMemory()
        Layout.author.pointee.place(given.dropFirst(parameters.count + 2))
    }
    let problem = authorConfigure(UInt32(UInt(bitPattern: given.baseAddress! + 1)))
    guard problem == 0 else {
        let place = authorSentence(problem)
        answer.put(ModuleInterface.Verdict.conflict.rawValue)
        answer.put(
            UnsafeBufferPointer(start: pointer(to: place >> 32), count: Int(truncatingIfNeeded: place & 0xffff_ffff)))
        return false
    }
    answer.put(ModuleInterface.Verdict.ready.rawValue)
    answer.put(UInt64(authorBlockSize()))
    return true
}

@_expose(wasm, "rt_run_tally") @_cdecl("rt_run_tally")
public func runTally(_ address: UInt32, _ octets: UInt32) -> UInt64 {
    let size = UInt64(authorBlockSize())
    run(RecordMemory.slots(address, octets), .tally) { block, trials, seed in
        for lane in 0..<min(RandomStream.lanes, Int(trials)) {
            LogBook.beginLane(lane)
            let words = RandomStream(seed: seed, block: block, lane: lane).words
            let count = UInt32((Int(trials) &- lane &+ 15) &>> 4)
            beginLane(seed: seed, first: block &* size &+ UInt64(lane), trials: count)
            authorLane(words.a, words.b, words.c, words.d, count)
        }
    }
    // There is no output, and no work is left.
    answer.put(0)
    answer.put(0)
    return answer.place
}

@_expose(wasm, "rt_run_collect") @_cdecl("rt_run_collect")
public func runCollect(_ address: UInt32, _ octets: UInt32) -> UInt64 {
    output = Output()
    let size = UInt64(authorBlockSize())
    run(RecordMemory.slots(address, octets), .collect) { block, units, seed in
        let words = RandomStream(seed: seed, block: block, lane: 0).words
        let first = block &* size
        let end = min(first &+ units, authorUnits())
        beginLane(seed: seed, first: first, trials: 0)
        if first < end { authorBlock(words.a, words.b, words.c, words.d, first, end) }
    }
    answer.put(output.octets)
    // No work is left.
    answer.put(0)
    return answer.place
}

/// Runs the blocks of a request, and answers with all but the output.
private func run(
    _ given: UnsafeBufferPointer<UInt64>, _ shape: ModuleInterface.Shape,
    block: (_ block: UInt64, _ trials: UInt64, _ seed: UInt64) -> Void
) {
    precondition(given.count >= 5 && given[0] == shape.rawValue)
    let (seed, first, blocks) = (given[1], given[2], given[3])
    var left = given[4]
    let size = UInt64(authorBlockSize())
    let layout = Layout.author
    layout.pointee.handle(.clear, nil)
    for index in 0..<blocks {
        let trials = min(left, size)
        block(first &+ index, trials, seed)
        left &-= trials
    }
    answer.begin()
    answer.put(shape.rawValue)
    answer.put(blocks)
    answer.put(0)
    answer.put(0)
    let slots = Int(layout.pointee.slots)
    answer.put(slots)
    layout.pointee.handle(.write, answer.next(slots))
}

/// Takes a number of trials and their tally. Returns the readings.
@_expose(wasm, "rt_read") @_cdecl("rt_read")
public func read(_ address: UInt32, _ octets: UInt32) -> UInt64 {
    let given = RecordMemory.slots(address, octets)
    let layout = Layout.author
    precondition(given.count == Int(layout.pointee.slots) + 2 && given[1] == UInt64(layout.pointee.slots))
    layout.pointee.handle(.read, UnsafeMutablePointer(mutating: given.baseAddress! + 2))
    answer.begin()
    answer.put(layout.pointee.readings.count)
    for reading in layout.pointee.readings.entries.indices {
        answer.put(layout.pointee.estimate(reading, trials: given[0]), exact: layout.pointee.exact(reading))
        layout.pointee.putBins(reading)
    }
    return answer.place
}
