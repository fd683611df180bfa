import Dispatch

/// Runs slow, blocking work on a thread outside the cooperative pool, which may have only one thread.
enum BlockingWork {
    private static let queue = DispatchQueue(label: "potluck-aside")

    static func run(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}
