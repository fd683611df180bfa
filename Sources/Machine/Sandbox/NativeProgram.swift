import PotluckSystem

/// The native program of an author's file, of which each core runs one.
final class NativeProgram: Sendable {
    private let path: String
    private let patience: Int
    /// The programs that compute nothing at the moment.
    private let idle = Guarded(Idle())

    /// A child goes from thread to thread, but only one has it at a time.
    private struct Idle: @unchecked Sendable { var children: [NativeChild] = [] }

    init(_ path: String, _ limits: PluginLimits) {
        self.path = path
        // The limit of a module is CPU time. This one is by the clock, and other programs may be at work, too.
        patience = max(1, Int(limits.time.components.seconds) * 10)
    }

    /// Runs `body` with a running program that nobody else uses meanwhile. After a failure that program is not used again.
    func withChild<Result>(
        _ body: (NativeChild) throws(SandboxError) -> Result
    ) throws(SandboxError) -> Result {
        let child = try take()
        let result = try body(child)
        idle.with { $0.children.append(child) }
        return result
    }

    private func take() throws(SandboxError) -> NativeChild {
        if let kept = idle.with({ $0.children.popLast() }) { return kept }
        return try NativeChild(path, patience: patience)
    }
}
