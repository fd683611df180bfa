import PotluckCore
import PotluckKit
import PotluckRanks

public typealias BlobHash = PotluckCore.BlobHash
public typealias BlobReference = PotluckCore.BlobReference

/// A node's rules and functions for simulations that are not built in. Their modules come from the node that submitted
/// the job.
public struct Plugins: Sendable {
    /// The modules that this node runs.
    public enum Policy: Hashable, Sendable {
        case all
        case only([BlobHash])
        /// No modules. The text says why, in one line.
        case none(String)
    }

    public var policy: Policy
    /// The folder that keeps modules for later sessions; nil to keep none.
    let folder: String?
    /// Returns the module of a built-in simulation. Returns nil if this program came without it.
    let bundled: @Sendable (AnySimulation) -> [UInt8]?
    /// Makes a simulation of a module. Error messages name the module `label`.
    let load: @Sendable (_ octets: [UInt8], _ label: String) -> Result<AnySimulation, PluginError>
    /// Makes a program with ranks of an order's module.
    let loadRanks: RankLoader

    /// Makes a program with ranks of a module.
    public typealias RankLoader =
        @Sendable (RankOrder) -> Result<@Sendable (RankSeat) throws(RankError) -> [UInt8], RankError>

    public init(
        _ policy: Policy = .all, keptIn folder: String? = nil,
        bundled: @escaping @Sendable (AnySimulation) -> [UInt8]? = { _ in nil },
        ranks loadRanks: @escaping RankLoader = { _ in .failure(.ended(why: "this program runs no ranks")) },
        load: @escaping @Sendable (_ octets: [UInt8], _ label: String) -> Result<AnySimulation, PluginError>
    ) {
        self.loadRanks = loadRanks
        self.policy = policy
        self.folder = folder
        self.bundled = bundled
        self.load = load
    }

    /// Runs only built-in simulations.
    public static let none = Plugins(.none("this program runs no plugins")) { _, _ in
        .failure(PluginError("this program runs no plugins"))
    }

    /// Makes the program of an order, unless this node does not run its module.
    func rankProgram(_ order: RankOrder) -> Result<RankCrew.Program, RankError> {
        if let why = BlobReference(ofModule: order.program.module).flatMap({ refusal(of: $0.hash) }) {
            return .failure(.ended(why: why))
        }
        return loadRanks(order)
    }

    /// Why this node does not run a module; nil if it does.
    func refusal(of module: BlobHash) -> String? {
        switch policy {
        case .all: nil
        case .none(let why): why
        case .only(let hashes) where hashes.contains(module): nil
        case .only: "only listed plugins are allowed here (allow this one with --allow-plugin \(module))"
        }
    }
}

/// The error of a file that is no module, or that this node cannot run.
public struct PluginError: Error, Hashable {
    /// The reason, in one line.
    public let reason: String

    public init(_ reason: String) { self.reason = reason }
}
