/// A call that all ranks of a communicator make. Its raw value is the tag of its messages. A rank that receives one with
/// another tag knows that some rank made another call.
enum CollectiveCall: Int {
    case barrier, broadcast, scatter, gather, allGather, allToAll, reduce, scan

    var name: StaticString {
        switch self {
        case .barrier: "barrier"
        case .broadcast: "broadcast"
        case .scatter: "scatter"
        case .gather: "gather"
        case .allGather: "allGather"
        case .allToAll: "allToAll"
        case .reduce: "reduce"
        case .scan: "scan"
        }
    }
}

/// Messages within a call of all ranks. All are between two ranks that expect them, in the same order on both sides.
extension Communicator {
    private var context: Int { 2 * number + 1 }

    func pass(
        _ bytes: UnsafeRawBufferPointer, to rank: Int, _ call: CollectiveCall, _ mode: SendMode = .standard
    ) {
        world.port.send(bytes, to: members[rank], tag: call.rawValue, context: context, mode: mode)
    }

    /// Begins to send a message. `finish` must follow.
    func begin(_ bytes: UnsafeRawBufferPointer, to rank: Int, _ call: CollectiveCall) -> Int32 {
        Int32(
            world.port.isend(bytes, to: members[rank], tag: call.rawValue, context: context, mode: .standard))
    }

    func finish(_ request: Int32) {
        var request = request
        withUnsafePointer(to: &request) { _ = world.port.wait(UnsafeBufferPointer(start: $0, count: 1)) }
    }

    /// Receives a message that must fill `bytes`.
    @inline(never)
    func take(_ bytes: UnsafeMutableRawBufferPointer, from rank: Int, _ call: CollectiveCall) {
        // Two ranks with arrays of different lengths are told so before the host refuses the message.
        let status = next(from: rank, call)
        guard status.bytes == bytes.count else {
            world.fail(
                call.name, "this rank expects ", bytes.count, " bytes and was sent ", status.bytes,
                "; all ranks must give as many values")
        }
        _ = world.port.receive(into: bytes, from: members[rank], tag: call.rawValue, context: context)
    }

    /// Receives a message of any size.
    func takeValues<Value: BitwiseCopyable>(
        _: Value.Type = Value.self, from rank: Int, _ call: CollectiveCall
    ) -> [Value] {
        let status = next(from: rank, call)
        let size = MemoryLayout<Value>.stride
        guard status.bytes % size == 0 else {
            world.fail(call.name, "the message has ", status.bytes, " bytes, and one value has ", size)
        }
        return array(Value.self, count: status.bytes / size) {
            _ = world.port.receive(into: $0, from: members[rank], tag: call.rawValue, context: context)
        }
    }

    /// The messages that a rank of an exchange sends before it receives the first one. More would fill the host's memory,
    /// and with fewer the ranks that share a core take turns more often.
    private static var ahead: Int { 4 }

    /// Sends a message to each other rank, and receives one from each.
    @inline(never)
    func exchange(
        _ call: CollectiveCall, send: (Int) -> UnsafeRawBufferPointer, receive: (Int) -> Void
    ) {
        var requests = [Int32](repeating: 0, count: size)
        for distance in 1..<size + Self.ahead {
            if distance < size {
                let next = (rank + distance) % size
                requests[distance] = begin(send(next), to: next, call)
            }
            let taken = distance - Self.ahead
            if taken > 0 && taken < size {
                receive((rank - taken + size) % size)
                finish(requests[taken])
            }
        }
    }

    /// Waits for the next message of a rank, which must belong to the same call.
    @inline(never)
    private func next(from rank: Int, _ call: CollectiveCall) -> Status {
        guard let status = world.port.probe(from: members[rank], tag: -1, context: context, waits: true) else {
            world.fail(call.name, "no message came from rank ", rank)
        }
        guard status.tag == call.rawValue else {
            let other = CollectiveCall(rawValue: status.tag)?.name ?? "another call"
            world.fail(call.name) { sentence in
                sentence.write("rank ")
                sentence.write(members[rank])
                sentence.write(" called ")
                sentence.write(other)
                sentence.write(" instead; all ranks must make the same calls in the same order")
            }
        }
        return status
    }

    @inline(never)
    func checkedRoot(_ root: Int, _ call: CollectiveCall) { _ = member(root, call.name) }
}
