import CKernels
import PotluckKit

/// Which vector kernels to use. All give the same tallies as the plain trials.
public enum Kernels: String, CaseIterable, Sendable {
    /// None.
    case plain
    case avx2
    case avx512

    /// Those that this CPU can run, the slowest first.
    public static var available: [Kernels] { allCases.filter { $0.level <= potluck_kernels_of_this_cpu().rawValue } }

    /// The fastest that this CPU can run, or what POTLUCK_KERNEL in the environment restricts it to.
    public static var chosen: Kernels { allCases.first { $0.level == potluck_kernels_chosen().rawValue } ?? .plain }

    private var level: UInt32 {
        switch self {
        case .plain: POTLUCK_KERNELS_PLAIN.rawValue
        case .avx2: POTLUCK_KERNELS_AVX2.rawValue
        case .avx512: POTLUCK_KERNELS_AVX512.rawValue
        }
    }
}

#if arch(x86_64)
    extension Kernels {
        @Sendable func montyHall(_ simulation: MontyHall) -> LaneKernel<MontyHall>? {
            guard self != .plain, simulation.opened == 1 else { return nil }
            let kernel =
                self == .avx512 ? potluck_kernels_avx512_monty_hall : potluck_kernels_avx2_monty_hall
            let doors = UInt32(simulation.doors)
            return { states, trials, tally in
                var counts: (stay: UInt64, swap: UInt64) = (0, 0)
                withUnsafeMutableBytes(of: &counts) {
                    kernel(states, trials, doors, $0.assumingMemoryBound(to: UInt64.self).baseAddress)
                }
                tally.stay.value &+= counts.stay
                tally.swap.value &+= counts.swap
            }
        }

        @Sendable func pi(_: Pi) -> LaneKernel<Pi>? {
            guard self != .plain else { return nil }
            let kernel = self == .avx512 ? potluck_kernels_avx512_pi : potluck_kernels_avx2_pi
            return { states, trials, tally in kernel(states, trials, &tally.inside.value) }
        }
    }
#else
    // No kernels for this kind of CPU: the plain trials run everywhere.
    extension Kernels {
        @Sendable func montyHall(_: MontyHall) -> LaneKernel<MontyHall>? { nil }
        @Sendable func pi(_: Pi) -> LaneKernel<Pi>? { nil }
    }
#endif
