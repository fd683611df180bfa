import PotluckKit

extension MontyHall {
    /// A kernel of `Sources/KernelAVX512/Kernels.swift`.
    typealias Kernel =
        @Sendable (
            _ states: UnsafePointer<UInt32>, _ trials: Int, _ doors: UInt32, _ counts: UnsafeMutablePointer<UInt64>
        ) -> Void

    /// Runs blocks with a kernel; nil if the host opens another number of doors than one.
    func lanes(by kernel: @escaping Kernel) -> LaneKernel<MontyHall>? {
        guard opened == 1 else { return nil }
        let doors = UInt32(doors)
        return { states, trials, tally in
            var counts: (stay: UInt64, swap: UInt64) = (0, 0)
            withUnsafeMutableBytes(of: &counts) {
                kernel(states, trials, doors, $0.assumingMemoryBound(to: UInt64.self).baseAddress!)
            }
            tally.stay.value &+= counts.stay
            tally.swap.value &+= counts.swap
        }
    }
}
