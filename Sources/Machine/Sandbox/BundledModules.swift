import PotluckCore
import PotluckKit
import PotluckSystem

/// The modules of the built-in simulations. They come with the program, for nodes that lack a built-in simulation or
/// have another version of it.
public struct BundledModules: Sendable {
    /// A module that came with the program.
    public struct Module: Hashable, Sendable {
        public let octets: [UInt8]
        /// The SHA-256 of the module, as in `Plugin.hash`.
        public let hash: String
    }

    private let places: [String]

    /// The modules of this program.
    public static let own = BundledModules(
        in: Installation.places(of: "modules", built: "modules", program: Installation.program))

    /// Looks for modules in these folders, in order.
    init(in places: [String]) { self.places = places }

    /// Returns the module of a built-in simulation. Returns nil if there is none, or if it was made from another
    /// source.
    public func module(of simulation: AnySimulation) -> Module? {
        // The name becomes part of a path, so restrict its characters.
        let isName = simulation.name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
        guard isName, simulation.source.utf8.count == 2 * SHA256.length else { return nil }
        for place in places {
            // A module declares the hash of its source, so its bytes contain the hash as text.
            if let octets = Installation.read(
                "\(place)/\(simulation.name).wasm", most: PluginLimits.largestModule),
                octets.firstRange(of: Array(simulation.source.utf8)) != nil
            {
                return Module(octets: octets, hash: SHA256.hash(octets).hexadecimal)
            }
        }
        return nil
    }
}
