import CKernels
import PotluckKit

/// Which vectors to use: the kernels that are built in, and the libraries of lanes. All give the same tallies as plain trials.
public enum Kernels: String, CaseIterable, Sendable {
    /// None.
    case plain
    case avx2
    case avx512

    /// Those that this CPU can run, the slowest first.
    public static var available: [Kernels] { allCases.filter { $0.level <= potluck_kernels_of_this_cpu().rawValue } }

    /// The fastest that this CPU can run, or what POTLUCK_KERNEL in the environment restricts it to.
    public static var chosen: Kernels { allCases.first { $0.level == potluck_kernels_chosen().rawValue } ?? .plain }

    /// Whether vector modules are to run blocks instead: the CPU has no kernels of its own, or POTLUCK_KERNEL is
    /// `module`. Never if POTLUCK_KERNEL is `plain`.
    public static var areInModules: Bool { potluck_kernels_in_modules() }

    /// What the compiler calls the features of such a CPU. Those of `potluck_kernels_of_this_cpu`, and of `Tools/lanes`.
    public var features: [String] {
        switch self {
        case .plain: []
        case .avx2: ["avx2"]
        case .avx512: ["avx512f", "avx512bw", "avx512dq", "avx512vl"]
        }
    }

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
        var matrixProduct: BlockKernel<MatrixProduct> {
            switch self {
            case .plain: .none
            case .avx2: .multiplying { potluck_kernels_avx2_matrix_product($0, $1, $2, $3, $4, $5) }
            case .avx512: .multiplying { potluck_kernels_avx512_matrix_product($0, $1, $2, $3, $4, $5) }
            }
        }
    }
#else
    // No kernels for this kind of CPU: plain code runs everywhere.
    extension Kernels {
        var matrixProduct: BlockKernel<MatrixProduct> { .none }
    }
#endif
