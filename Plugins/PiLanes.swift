import PotluckKit

extension Pi {
    /// A kernel of `Sources/KernelAVX512/Kernels.swift`.
    typealias Kernel =
        @Sendable (_ states: UnsafePointer<UInt32>, _ trials: Int, _ counts: UnsafeMutablePointer<UInt64>) -> Void

    /// Runs blocks with a kernel.
    func lanes(by kernel: @escaping Kernel) -> LaneKernel<Pi>? {
        { states, trials, tally in kernel(states, trials, &tally.inside.value) }
    }
}
