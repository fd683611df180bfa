extension Communicator {
    /// Sends a value.
    public func send<Value: BitwiseCopyable>(
        _ value: Value, to rank: Int, tag: Int = 0, mode: SendMode = .standard
    ) {
        withBytes(of: value) { send($0, to: rank, tag: tag, mode) }
    }

    /// Sends the values of an array.
    public func send<Value: BitwiseCopyable>(
        _ values: [Value], to rank: Int, tag: Int = 0, mode: SendMode = .standard
    ) {
        values.withUnsafeBytes { send($0, to: rank, tag: tag, mode) }
    }

    /// Begins to send a value. The caller must wait for the request, with `wait` or `waitAll`.
    public func isend<Value: BitwiseCopyable>(
        _ value: Value, to rank: Int, tag: Int = 0, mode: SendMode = .standard
    ) -> Request {
        withBytes(of: value) { isend($0, to: rank, tag: tag, mode) }
    }

    /// Begins to send the values of an array, which may change at once. The caller must wait for the request, with `wait`
    /// or `waitAll`.
    public func isend<Value: BitwiseCopyable>(
        _ values: [Value], to rank: Int, tag: Int = 0, mode: SendMode = .standard
    ) -> Request {
        values.withUnsafeBytes { isend($0, to: rank, tag: tag, mode) }
    }

    private func send(_ bytes: UnsafeRawBufferPointer, to rank: Int, tag: Int, _ mode: SendMode) {
        world.port.send(
            bytes, to: member(rank, "send"), tag: checked(tag, "send"), context: 2 * number, mode: mode)
    }

    private func isend(_ bytes: UnsafeRawBufferPointer, to rank: Int, tag: Int, _ mode: SendMode) -> Request {
        Request(
            self,
            world.port.isend(
                bytes, to: member(rank, "isend"), tag: checked(tag, "isend"), context: 2 * number, mode: mode))
    }
}

extension Communicator {
    /// Returns a member's rank in the world.
    func member(_ rank: Int, _ call: StaticString) -> Int {
        guard rank >= 0 && rank < size else {
            world.fail(call, "there is no rank ", rank, "; ranks are from 0 to ", size - 1)
        }
        return members[rank]
    }

    /// Returns a member's rank in the world, or -1 for any.
    func source(_ rank: Int, _ call: StaticString) -> Int { rank == .any ? -1 : member(rank, call) }

    func checked(_ tag: Int, _ call: StaticString) -> Int {
        guard tag >= 0 && tag <= Int(Int32.max) else { world.fail(call, "the tag must be at least 0 and is ", tag) }
        return tag
    }

    /// Returns a tag, or -1 for any.
    func wanted(_ tag: Int, _ call: StaticString) -> Int { tag == .any ? -1 : checked(tag, call) }

    /// Returns the status with a rank of this communicator instead of one of the world.
    func local(_ status: Status) -> Status {
        guard number > 0, let source = members.firstIndex(of: status.source) else { return status }
        return Status(source: source, tag: status.tag, bytes: status.bytes)
    }
}
