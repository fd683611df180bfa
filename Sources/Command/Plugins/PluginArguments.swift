import Potluck
import PotluckCore
import PotluckMachine
import PotluckScreen

/// The options for running plugins: their limits, and which are allowed.
enum PluginArguments {
    static let memory = Option(
        "plugin-memory", "SIZE", "memory that a plugin may use per core: 64M, 1G", in: .plugins, default: "256M",
        environment: "POTLUCK_PLUGIN_MEMORY", PluginQuantities.memory)
    static let seconds = Option(
        "plugin-seconds", "N",
        "seconds that one call of a plugin may take; a good plugin takes 20 ms", in: .plugins, default: "2",
        environment: "POTLUCK_PLUGIN_SECONDS", PluginQuantities.seconds)

    static let noPlugins = Flag("no-plugins", "compute only built-in simulations", in: .plugins)
    static let plugins = Flag(
        "plugins", "compute plugins in an open session, too, where anyone may start them", in: .plugins)
    static let allowed = Option(
        "allow-plugin", "HASH", "allow only this plugin, by the SHA-256 of its module", in: .plugins, repeats: true
    ) { (text) throws(ValueError) -> BlobHash in
        guard let hash = BlobHash(digits: text) else {
            throw ValueError("not a SHA-256; use the 64 digits that sha256sum prints")
        }
        return hash
    }

    static let options = [memory.declaration, seconds.declaration]
    /// The options of commands that join a session as a node that computes.
    static let nodeOptions = options + [noPlugins.declaration, plugins.declaration]

    /// The policy and limits for plugins. `adjust` changes the policy once the access to the session is known.
    static func plugins(_ arguments: Arguments) throws(UsageError) -> Plugins {
        let hashes = try arguments.all(allowed)
        let isOff = arguments[noPlugins]
        if isOff, arguments[plugins] || !hashes.isEmpty {
            throw UsageError(
                "--no-plugins and --\(hashes.isEmpty ? "plugins" : "allow-plugin") cannot be used together")
        }
        let policy: Plugins.Policy =
            isOff ? .none("plugins are disabled here (--no-plugins)") : hashes.isEmpty ? .all : .only(hashes)
        let limits = try limits(arguments)
        return PluginFiles.plugins(policy, limits) { cache in { $0.program(within: limits, cache) } }
    }

    /// Disables plugins in an open session, where anyone may start one, unless the user allowed them.
    static func adjust(_ computing: inout Computing, _ access: Access, _ arguments: Arguments) {
        guard case .open = access, !arguments[plugins], computing.simulations.plugins.policy == .all else { return }
        computing.simulations.plugins.policy = .none(
            "plugins are disabled in open sessions (enable them with --plugins)")
    }

    static func limits(_ arguments: Arguments) throws(UsageError) -> PluginLimits {
        PluginLimits(
            memory: try arguments[memory] ?? PluginLimits.standardMemory,
            time: try arguments[seconds] ?? PluginLimits.standardTime)
    }
}

extension PluginArguments {
    /// The options that set these limits, to print in a command; empty for the defaults.
    static func words(_ limits: PluginLimits) -> [String] {
        var words: [String] = []
        if limits.memory != PluginLimits.standardMemory {
            words.append("--\(memory.declaration.name) \(limits.memory)")
        }
        if limits.time != PluginLimits.standardTime {
            words.append("--\(seconds.declaration.name) \(limits.time.seconds)")
        }
        return words
    }
}

/// Parses the limits of plugins.
enum PluginQuantities {
    static func memory(_ text: String) throws(ValueError) -> Int {
        let units: [Character: Int] = ["K": 10, "M": 20, "G": 30]
        let unit = text.last.flatMap { units[Character($0.uppercased())] }
        let digits = unit == nil ? text[...] : text.dropLast()
        guard digits.allSatisfy({ ("0"..."9").contains($0) }), let number = Int(digits) else {
            throw ValueError("not a size; use a size like 64M or 1G")
        }
        let (octets, overflow) = number.multipliedReportingOverflow(by: 1 << (unit ?? 0))
        guard !overflow, (PluginLimits.leastMemory...PluginLimits.mostMemory).contains(octets) else {
            throw ValueError("must be from 1M to 4G")
        }
        return octets
    }

    /// A call with less than 0.1 s could not do any work, and nobody waits more than an hour for a plugin that hangs.
    static func seconds(_ text: String) throws(ValueError) -> Duration {
        guard text.allSatisfy({ ("0"..."9").contains($0) || $0 == "." }), let number = Double(text) else {
            throw ValueError("not a number of seconds")
        }
        guard (0.1...3600).contains(number) else { throw ValueError("must be from 0.1 to 3600") }
        return .milliseconds(Int64(number * 1000))
    }
}
