import Glibc
import PotluckSystem

/// Where this machine's power comes from, as the system tells.
public enum PowerSupply: Sendable, Hashable {
    /// From a plug, with a battery or without.
    case mains
    case battery
    /// There is nothing that says: a desktop, a virtual machine.
    case unknown

    /// Looks now. A battery's controller may take some hundredths of a second to answer, so it is not for a thread that
    /// others wait for.
    public static func now(in folder: String = "/sys/class/power_supply") -> PowerSupply {
        var hasMains = false, isPlugged = false, hasBattery = false, isDischarging = false, isCharging = false
        for supply in names(inFolder: folder, atMost: mostSupplies) {
            let path = "\(folder)/\(supply)"
            // The battery of a mouse says nothing about the machine.
            guard let type = word(of: "\(path)/type"), word(of: "\(path)/scope") != "device" else { continue }
            switch type {
            case "battery", "ups":
                guard word(of: "\(path)/present") != "0" else { continue }
                hasBattery = true
                switch word(of: "\(path)/status") {
                case "discharging": isDischarging = true
                case "charging", "full", "not charging": isCharging = true
                default: break
                }
            default:
                // Mains, and all the kinds of USB and wireless chargers, say whether they feed the machine.
                switch word(of: "\(path)/online") {
                case "0": hasMains = true
                case let online? where Int(online) != nil: (hasMains, isPlugged) = (true, true)
                default: break
                }
            }
        }
        if isPlugged { return .mains }
        guard hasBattery else { return .unknown }
        if isDischarging { return .battery }
        if isCharging { return .mains }
        return hasMains ? .battery : .unknown
    }

    /// More than any machine has.
    private static let mostSupplies = 256
    /// A word; the longest that the system writes has twelve letters.
    private static let longestWord = 64

    /// What is in a file, in lower case; nil where there is no such file or nothing in it.
    private static func word(of path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var octets = [UInt8](repeating: 0, count: longestWord)
        let count = read(file, &octets, octets.count)
        guard count > 0 else { return nil }
        let line = octets[..<count].prefix { $0 != UInt8(ascii: "\n") && $0 != 0 }
        let word = String(decoding: line, as: UTF8.self).lowercased()
        return word.isEmpty ? nil : word
    }
}
