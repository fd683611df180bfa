import CVectors

/// The kinds of vectors that a library of lanes is made for. All give the same tallies as plain trials.
public enum Vectors: String, CaseIterable, Sendable {
    /// None.
    case plain
    case avx2
    case avx512

    /// Those that this CPU can run, the narrowest first.
    public static var available: [Vectors] { allCases.filter { $0.level <= potluck_vectors_of_this_cpu().rawValue } }

    /// The widest that this CPU can run, or what POTLUCK_KERNEL in the environment restricts it to.
    public static var chosen: Vectors { allCases.first { $0.level == potluck_vectors_chosen().rawValue } ?? .plain }

    /// What the compiler calls the features of such a CPU. Those of `potluck_vectors_of_this_cpu`, and of `Tools/lanes`.
    public var features: [String] {
        switch self {
        case .plain: []
        case .avx2: ["avx2"]
        case .avx512: ["avx512f", "avx512bw", "avx512dq", "avx512vl"]
        }
    }

    private var level: UInt32 {
        switch self {
        case .plain: POTLUCK_VECTORS_PLAIN.rawValue
        case .avx2: POTLUCK_VECTORS_AVX2.rawValue
        case .avx512: POTLUCK_VECTORS_AVX512.rawValue
        }
    }
}
