/// An operation that was begun with `isend` or `ireceive`. It must be completed by `wait`, `test`, `waitAll` or
/// `waitAny`.
public class Request {
    fileprivate enum State {
        case open(Int)
        case complete(Status)
    }

    fileprivate let communicator: Communicator
    fileprivate var state: State

    init(_ communicator: Communicator, _ number: Int) {
        self.communicator = communicator
        state = .open(number)
    }

    /// The number for the host; 0 for a request that is complete.
    fileprivate final var number: Int32 {
        if case .open(let number) = state { Int32(number) } else { 0 }
    }

    /// Whether `wait` or another call has completed it.
    public final var isComplete: Bool { number == 0 }

    /// Waits until the operation is complete. Returns at once if it is.
    @discardableResult
    public final func wait() -> Status {
        if case .complete(let status) = state { return status }
        communicator.world.complete([self])
        return wait()
    }

    /// Returns the status if the operation is complete, and nil if it is not yet.
    public final func test() -> Status? {
        if case .open(let number) = state, let status = communicator.world.port.test(number) { complete(status) }
        if case .complete(let status) = state { return status }
        return nil
    }

    fileprivate final func complete(_ status: Status) { state = .complete(communicator.local(status)) }
}

/// A receive that was begun with `ireceive`. It holds the values when it is complete.
public final class Incoming<Value: BitwiseCopyable>: Request {
    private let place: UnsafeMutableBufferPointer<Value>

    init(_ communicator: Communicator, capacity: Int, from rank: Int, tag: Int) {
        place = .allocate(capacity: capacity)
        super.init(
            communicator,
            communicator.world.port.ireceive(
                into: UnsafeMutableRawBufferPointer(place), from: communicator.source(rank, "ireceive"),
                tag: communicator.wanted(tag, "ireceive"), context: 2 * communicator.number))
    }

    deinit { place.deallocate() }

    /// The values that were received. Waits for them.
    public var values: [Value] {
        let count = communicator.checkedCount(Value.self, wait())
        return Array(UnsafeBufferPointer(rebasing: place[..<count]))
    }

    /// The value of a message with one value. Waits for it.
    public var value: Value {
        communicator.checkOne(Value.self, wait())
        return place[0]
    }
}

extension Communicator {
    /// Waits until all requests are complete.
    public func waitAll(_ requests: [Request]) {
        for request in requests { request.wait() }
    }

    /// Waits until one of the requests is complete that was not before, and returns its index. Returns nil if all were
    /// complete. So a loop sees each request once:
    ///
    ///     while let index = world.waitAny(requests) { … }
    public func waitAny(_ requests: [Request]) -> Int? { world.complete(requests) }
}

extension World {
    /// Waits until one of the open requests is complete, and returns its index; nil if none is open.
    @discardableResult
    fileprivate func complete(_ requests: [Request]) -> Int? {
        guard let (index, status) = requests.map({ $0.number }).withUnsafeBufferPointer({ port.wait($0) }) else {
            return nil
        }
        requests[index].complete(status)
        return index
    }
}
