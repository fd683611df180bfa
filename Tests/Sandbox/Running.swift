import Foundation
import PotluckKit

/// A thread that a test can wait for.
final class Running: @unchecked Sendable {
    private let done = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () -> Void) {
        Thread.detachNewThread { [done] in
            body()
            done.signal()
        }
    }

    func join() { done.wait() }
}

/// Collects the replies of several threads.
final class Outcomes: @unchecked Sendable {
    private let lock = NSLock()
    private var kept: [ChunkReply] = []

    func add(_ reply: ChunkReply) { lock.withLock { kept.append(reply) } }
    var all: [ChunkReply] { lock.withLock { kept } }
}
