import Glibc
import PotluckCrypto
import PotluckKit
import PotluckModel

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
    ///
    /// - Parameter hasVectors: whether to return the second module, which runs a vector kernel with 128-bit instructions.
    ///   Few simulations have one.
    public func module(of simulation: AnySimulation, hasVectors: Bool = false) -> Module? {
        // The name becomes part of a path, so restrict its characters.
        let isName = simulation.name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
        guard isName, simulation.source.utf8.count == 2 * SHA256.length else { return nil }
        for place in places {
            // A module declares the hash of its source, so its bytes contain the hash as text.
            if let octets = Self.read("\(place)/\(simulation.name)\(hasVectors ? ".simd" : "").wasm"),
                octets.firstRange(of: Array(simulation.source.utf8)) != nil
            {
                return Module(octets: octets, hash: SHA256.hash(octets).hexadecimal)
            }
        }
        return nil
    }

    private static func read(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var octets = [UInt8](repeating: 0, count: PluginLimits.largestModule + 1)
        let count = fread(&octets, 1, octets.count, file)
        guard ferror(file) == 0, count <= PluginLimits.largestModule else { return nil }
        return Array(octets.prefix(count))
    }
}
