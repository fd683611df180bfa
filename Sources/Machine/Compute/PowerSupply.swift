import Glibc
import PotluckSystem

/// This machine's source of power, according to the system.
public enum PowerSupply: Sendable, Hashable {
    /// Plugged in, with or without a battery.
    case mains
    case battery
    /// The system reports nothing, as on a desktop or a virtual machine.
    case unknown

    /// Reads the present source. A battery's controller may take some hundredths of a second to answer, so do not call
    /// this on a thread that others wait for.
    public static func now(in folder: String = "/sys/class/power_supply") -> PowerSupply {
        var hasMains = false, isPlugged = false, hasBattery = false, isDischarging = false, isCharging = false
        for supply in names(inFolder: folder, atMost: mostSupplies) {
            let path = "\(folder)/\(supply)"
            // The battery of a mouse or another device says nothing about the machine.
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
                // Mains and all kinds of USB and wireless chargers report whether they supply power.
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
    /// Bytes of a word. The longest that the system writes has twelve.
    private static let longestWord = 64

    /// Returns the first line of a file in lower case. Returns nil if the file is missing or the line is empty.
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
