import PotluckKit
import PotluckModel

public typealias BlobHash = PotluckModel.BlobHash
public typealias BlobReference = PotluckModel.BlobReference

/// What a node does about simulations that are not built in: their modules come from whoever ordered them.
public struct Plugins: Sendable {
    /// Which modules are run.
    public enum Policy: Hashable, Sendable {
        case all
        case only([BlobHash])
        /// None, and why, in one line.
        case none(String)
    }

    public var policy: Policy
    /// Where modules are kept for the next time; nowhere if nil.
    let folder: String?
    /// The module of something built in, where one came with this program.
    let bundled: @Sendable (AnySimulation) -> [UInt8]?
    /// Makes a simulation of a module, called by a label in what it complains of.
    let load: @Sendable (_ octets: [UInt8], _ label: String) -> Result<AnySimulation, PluginRefusal>

    public init(
        _ policy: Policy = .all, keptIn folder: String? = nil,
        bundled: @escaping @Sendable (AnySimulation) -> [UInt8]? = { _ in nil },
        load: @escaping @Sendable (_ octets: [UInt8], _ label: String) -> Result<AnySimulation, PluginRefusal>
    ) {
        self.policy = policy
        self.folder = folder
        self.bundled = bundled
        self.load = load
    }

    /// Only what is built in is computed.
    public static let none = Plugins(.none("this program runs no plugins")) { _, _ in
        .failure(PluginRefusal("this program runs no plugins"))
    }

    /// Why a module is not run here; nil where it is.
    func refusal(of module: BlobHash) -> String? {
        switch policy {
        case .all: nil
        case .none(let why): why
        case .only(let hashes) where hashes.contains(module): nil
        case .only: "only listed plugins are allowed here (allow this one with --allow-plugin \(module))"
        }
    }
}

/// A module that is none, or none that can be run here.
public struct PluginRefusal: Error, Hashable {
    /// Why, in one line.
    public let reason: String

    public init(_ reason: String) { self.reason = reason }
}
