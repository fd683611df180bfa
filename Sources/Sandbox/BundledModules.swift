import Glibc
import PotluckCrypto
import PotluckKit
import PotluckModel

/// The modules of what is built in. They come with the program, so that a node that lacks a built-in, or has another
/// version of it, can be given its module.
public struct BundledModules: Sendable {
    public struct Module: Hashable, Sendable {
        public let octets: [UInt8]
        /// Their SHA-256, as `Plugin.hash` is.
        public let hash: String
    }

    private let places: [String]

    /// Those of the program that asks.
    public static let own = BundledModules(
        in: Installation.places(of: "modules", built: "modules", program: Installation.program))

    /// In the first of these folders that has what is wanted.
    init(in places: [String]) { self.places = places }

    /// The module of something built in; nil where none came along, or one that was made from another source.
    public func module(of simulation: AnySimulation) -> Module? {
        // A name is part of a path here.
        let isName = simulation.name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
        guard isName, simulation.source.utf8.count == 2 * SHA256.length else { return nil }
        for place in places {
            // A module declares the hash of its source, and so holds its text.
            if let octets = Self.read("\(place)/\(simulation.name).wasm"),
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
