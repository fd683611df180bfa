import Dispatch

/// Work that would keep a thread of the cooperative pool busy.
enum Aside {
    private static let queue = DispatchQueue(label: "potluck-aside")

    static func run(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}
