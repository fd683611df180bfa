import PotluckKit

extension Stage {
    /// The port of one rank.
    final class Port: RankPort {
        let stage: Stage
        let rank: Int

        init(stage: Stage, rank: Int) { (self.stage, self.rank) = (stage, rank) }

        var size: Int { stage.seats.count }
        /// Time passes with every call of any rank.
        var time: Double { Double(stage.calls) / 1_000_000 }

        func log(_ text: UnsafeRawBufferPointer) { stage.write(String(decoding: text, as: UTF8.self)) }
        func abort(_ code: Int) -> Never { stage.abort(code) }

        func send(_ bytes: UnsafeRawBufferPointer, to: Int, tag: Int, context: Int, mode: SendMode) {
            wait(for: isend(bytes, to: to, tag: tag, context: context, mode: mode))
        }

        func isend(_ bytes: UnsafeRawBufferPointer, to: Int, tag: Int, context: Int, mode: SendMode) -> Int {
            let request = stage.send(bytes, from: rank, to: to, tag: tag, context: context, mode)
            stage.yield(rank)
            return request
        }

        func receive(into bytes: UnsafeMutableRawBufferPointer, from: Int, tag: Int, context: Int) -> Status {
            wait(for: stage.post(bytes, on: rank, from: from, tag: tag, context: context))
        }

        func ireceive(into bytes: UnsafeMutableRawBufferPointer, from: Int, tag: Int, context: Int) -> Int {
            let request = stage.post(bytes, on: rank, from: from, tag: tag, context: context)
            stage.yield(rank)
            return request
        }

        func probe(from: Int, tag: Int, context: Int, waits: Bool) -> Status? {
            let seat = stage.seats[rank]
            let wanted = Posted(request: 0, source: from, tag: tag, context: context, capacity: 0)
            stage.yield(rank) { !waits || seat.arrived.contains(where: wanted.matches) }
            return seat.arrived.first(where: wanted.matches).map {
                Status(source: $0.source, tag: $0.tag, bytes: $0.bytes.count)
            }
        }

        func wait(_ requests: UnsafeBufferPointer<Int32>) -> (index: Int, status: Status)? {
            let numbers = requests.map { Int($0) }
            guard numbers.contains(where: { $0 != 0 }) else { return nil }
            let seat = stage.seats[rank]
            stage.yield(rank) { numbers.contains { seat.complete[$0] != nil } }
            for (index, number) in numbers.enumerated() {
                if let status = stage.take(number, of: rank) { return (index, status) }
            }
            return nil
        }

        func test(_ request: Int) -> Status? {
            stage.yield(rank)
            return stage.take(request, of: rank)
        }

        func checkpoint(_ state: UnsafeRawBufferPointer) {
            stage.seats[rank].checkpoints.append(Array(state))
            stage.yield(rank)
        }

        func restore(into state: UnsafeMutableRawBufferPointer) -> Int? {
            guard let bytes = stage.restored?[rank] else { return nil }
            state.copyBytes(from: bytes.prefix(state.count))
            return bytes.count
        }

        @discardableResult
        private func wait(for request: Int) -> Status {
            let seat = stage.seats[rank]
            stage.yield(rank) { seat.complete[request] != nil }
            guard let status = stage.take(request, of: rank) else { fatalError("a rank went on too early") }
            return status
        }
    }
}
