import PotluckArguments
import PotluckModel
import PotluckSandbox

/// How much of this machine a plugin may have, as people say it.
enum PluginArguments {
    static let memory = Option(
        "plugin-memory", "SIZE", "memory a plugin may have on each core: 64M, 1G; 256M unless you say",
        environment: "POTLUCK_PLUGIN_MEMORY", PluginQuantities.memory)
    static let seconds = Option(
        "plugin-seconds", "N",
        "seconds that one call of a plugin may compute, which does 20 ms of work; 2 unless you say",
        environment: "POTLUCK_PLUGIN_SECONDS", PluginQuantities.seconds)

    static let options = [memory.declaration, seconds.declaration]

    static func limits(_ arguments: Arguments) throws(UsageError) -> PluginLimits {
        PluginLimits(
            memory: try arguments[memory] ?? PluginLimits.standardMemory,
            time: try arguments[seconds] ?? PluginLimits.standardTime)
    }
}

/// What people type for a plugin's limits, as values.
enum PluginQuantities {
    static func memory(_ text: String) throws(ValueError) -> Int {
        let units: [Character: Int] = ["K": 10, "M": 20, "G": 30]
        let unit = text.last.flatMap { units[Character($0.uppercased())] }
        let digits = unit == nil ? text[...] : text.dropLast()
        guard digits.allSatisfy({ ("0"..."9").contains($0) }), let number = Int(digits) else {
            throw ValueError("not a size; write 64M or 1G")
        }
        let (octets, overflow) = number.multipliedReportingOverflow(by: 1 << (unit ?? 0))
        guard !overflow, (PluginLimits.leastMemory...PluginLimits.mostMemory).contains(octets) else {
            throw ValueError("1M to 4G are possible")
        }
        return octets
    }

    /// Shorter than a call should take nothing could run; longer than this nobody waits for a node that hangs.
    static func seconds(_ text: String) throws(ValueError) -> Duration {
        guard text.allSatisfy({ ("0"..."9").contains($0) || $0 == "." }), let number = Double(text) else {
            throw ValueError("not a number of seconds")
        }
        guard (0.1...3600).contains(number) else { throw ValueError("0.1 to 3600 seconds are possible") }
        return .milliseconds(Int64(number * 1000))
    }
}
