extension Communicator {
    /// Waits for a message with one value, and returns it. The rank of the sender and the tag may be `.any`.
    public func receive<Value: BitwiseCopyable>(
        _ type: Value.Type = Value.self, from rank: Int, tag: Int = 0
    ) -> Value {
        value(type) { checkOne(type, receive($0, from: rank, tag: tag)) }
    }

    /// Waits for a message with one value. Returns the status, which says who sent it.
    @discardableResult
    public func receive<Value: BitwiseCopyable>(into place: inout Value, from rank: Int, tag: Int = 0) -> Status {
        var status: Status?
        place = value(Value.self) {
            let found = receive($0, from: rank, tag: tag)
            checkOne(Value.self, found)
            status = found
        }
        return status.unsafelyUnwrapped
    }

    /// Waits for a message with values, and returns all of them.
    public func receive<Value: BitwiseCopyable>(
        _: [Value].Type = [Value].self, from rank: Int, tag: Int = 0
    ) -> [Value] {
        // The message that the probe found is the first of its sender and tag.
        let next = probe(from: rank, tag: tag)
        let count = checkedCount(Value.self, next)
        return array(Value.self, count: count) { _ = receive($0, from: next.source, tag: next.tag) }
    }

    /// Waits for a message with at most as many values as the array has, and replaces its first ones. Returns the status,
    /// which says how many they were.
    @discardableResult
    public func receive<Value: BitwiseCopyable>(into values: inout [Value], from rank: Int, tag: Int = 0) -> Status {
        let status = values.withUnsafeMutableBytes { receive($0, from: rank, tag: tag) }
        _ = checkedCount(Value.self, status)
        return status
    }

    /// Begins to receive a message with one value.
    public func ireceive<Value: BitwiseCopyable>(
        _ type: Value.Type = Value.self, from rank: Int, tag: Int = 0
    ) -> Incoming<Value> {
        Incoming(self, capacity: 1, from: rank, tag: tag)
    }

    /// Begins to receive a message with at most `most` values.
    public func ireceive<Value: BitwiseCopyable>(
        most: Int, of _: Value.Type = Value.self, from rank: Int, tag: Int = 0
    ) -> Incoming<Value> {
        guard most >= 0 else { world.fail("ireceive", "the most values must not be ", most) }
        return Incoming(self, capacity: most, from: rank, tag: tag)
    }

    /// Waits until there is a message to receive, and describes it. It stays to be received.
    public func probe(from rank: Int, tag: Int = 0) -> Status {
        guard let status = probe(from: rank, tag: tag, waits: true) else {
            world.fail("probe", "no message came from rank ", rank)
        }
        return status
    }

    /// Returns what `probe` returns, or nil at once if there is no such message.
    public func iprobe(from rank: Int, tag: Int = 0) -> Status? { probe(from: rank, tag: tag, waits: false) }

    private func probe(from rank: Int, tag: Int, waits: Bool) -> Status? {
        world.port.probe(
            from: source(rank, "probe"), tag: wanted(tag, "probe"), context: 2 * number, waits: waits
        ).map(local)
    }

    private func receive(_ bytes: UnsafeMutableRawBufferPointer, from rank: Int, tag: Int) -> Status {
        local(
            world.port.receive(
                into: bytes, from: source(rank, "receive"), tag: wanted(tag, "receive"), context: 2 * number))
    }

    func checkOne<Value: BitwiseCopyable>(_: Value.Type, _ status: Status) {
        guard status.bytes == MemoryLayout<Value>.stride else {
            world.fail(
                "receive", "the message has ", status.bytes, " bytes instead of the ", MemoryLayout<Value>.stride,
                " of one value")
        }
    }

    func checkedCount<Value: BitwiseCopyable>(_: Value.Type, _ status: Status) -> Int {
        guard status.bytes % MemoryLayout<Value>.stride == 0 else {
            world.fail(
                "receive", "the message has ", status.bytes, " bytes, and one value has ", MemoryLayout<Value>.stride)
        }
        return status.count(of: Value.self)
    }
}

extension Communicator {
    /// Sends a value and receives one, in whatever order they arrive.
    public func sendReceive<Value: BitwiseCopyable>(
        _ value: Value, to rank: Int, from source: Int, tag: Int = 0
    ) -> Value {
        let request = isend(value, to: rank, tag: tag)
        let received = receive(Value.self, from: source, tag: tag)
        request.wait()
        return received
    }

    /// Sends values and receives some, in whatever order they arrive.
    public func sendReceive<Value: BitwiseCopyable>(
        _ values: [Value], to rank: Int, from source: Int, tag: Int = 0
    ) -> [Value] {
        let request = isend(values, to: rank, tag: tag)
        let received = receive([Value].self, from: source, tag: tag)
        request.wait()
        return received
    }

    /// Sends values unless `rank` is nil, and receives some unless `source` is nil: there is no neighbour at the edge of a
    /// grid.
    public func sendReceive<Value: BitwiseCopyable>(
        _ values: [Value], to rank: Int?, from source: Int?, tag: Int = 0
    ) -> [Value]? {
        let request = rank.map { isend(values, to: $0, tag: tag) }
        let received = source.map { receive([Value].self, from: $0, tag: tag) }
        if let request { request.wait() }
        return received
    }
}
