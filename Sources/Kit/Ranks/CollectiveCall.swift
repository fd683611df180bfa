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

    func pass(_ bytes: UnsafeRawBufferPointer, to rank: Int, _ call: CollectiveCall) {
        world.port.send(bytes, to: members[rank], tag: call.rawValue, context: context, mode: .standard)
    }

    func pass(_ bytes: [UInt8], to rank: Int, _ call: CollectiveCall) {
        bytes.withUnsafeBytes { pass($0, to: rank, call) }
    }

    /// Receives a message that must fill `bytes`.
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
    func take(from rank: Int, _ call: CollectiveCall) -> [UInt8] {
        let status = next(from: rank, call)
        return array(UInt8.self, count: status.bytes) {
            _ = world.port.receive(into: $0, from: members[rank], tag: call.rawValue, context: context)
        }
    }

    /// Sends one message and receives another. Neither waits for the other.
    func swap(
        _ bytes: UnsafeRawBufferPointer, to rank: Int, from source: Int, _ call: CollectiveCall
    ) -> [UInt8] {
        let request = Request(
            self,
            world.port.isend(bytes, to: members[rank], tag: call.rawValue, context: context, mode: .standard))
        let received = take(from: source, call)
        request.wait()
        return received
    }

    /// Waits for the next message of a rank, which must belong to the same call.
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

    func checkedRoot(_ root: Int, _ call: CollectiveCall) { _ = member(root, call.name) }
}
