import Foundation
import PotluckMachine
import Testing

@Suite struct PowerSupplyTests {
    /// Reads the power supply from a folder like the system's, with the given supplies and the contents of their files.
    private func supply(_ supplies: [String: [String: String]]) throws -> PowerSupply {
        let folder = FileManager.default.temporaryDirectory.appending(path: "potluck-power-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, files) in supplies {
            let place = folder.appending(path: name)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            for (file, text) in files { try Data((text + "\n").utf8).write(to: place.appending(path: file)) }
        }
        return PowerSupply.now(in: folder.path)
    }

    private func battery(_ status: String) -> [String: String] {
        ["type": "Battery", "status": status, "present": "1", "scope": "System"]
    }

    private func mains(_ online: String) -> [String: String] { ["type": "Mains", "online": online] }

    @Test func laptops() throws {
        #expect(try supply(["AC": mains("1"), "BAT0": battery("Charging")]) == .mains)
        #expect(try supply(["AC": mains("1"), "BAT0": battery("Full")]) == .mains)
        #expect(try supply(["AC": mains("0"), "BAT0": battery("Discharging")]) == .battery)
        #expect(try supply(["AC": mains("0"), "BAT0": battery("Unknown")]) == .battery)
        #expect(try supply(["AC": mains("0"), "BAT0": battery("Full"), "BAT1": battery("Discharging")]) == .battery)
        // Charging through USB while the machine's own power socket is empty.
        let usb = ["type": "USB", "online": "1", "usb_type": "C [PD]"]
        #expect(try supply(["AC": mains("0"), "ucsi": usb, "BAT0": battery("Charging")]) == .mains)
        // A charger that is too weak for the load is still a charger.
        #expect(try supply(["AC": mains("1"), "BAT0": battery("Discharging")]) == .mains)
        // Only the battery reports anything.
        #expect(try supply(["BAT0": battery("Discharging")]) == .battery)
        #expect(try supply(["BAT0": battery("Not charging")]) == .mains)
        #expect(try supply(["BAT0": battery("Unknown")]) == .unknown)
    }

    @Test func othersThanLaptops() throws {
        #expect(PowerSupply.now(in: "/nowhere/at/all") == .unknown)
        #expect(try supply([:]) == .unknown)
        #expect(try supply(["AC": mains("1")]) == .mains)
        #expect(try supply(["AC": mains("0")]) == .unknown)
        var mouse = battery("Discharging")
        mouse["scope"] = "Device"
        #expect(try supply(["hidpp_battery_0": mouse]) == .unknown)
        #expect(try supply(["hidpp_battery_0": mouse, "AC": mains("1")]) == .mains)
        var absent = battery("Discharging")
        absent["present"] = "0"
        #expect(try supply(["BAT1": absent]) == .unknown)
        #expect(try supply(["ups": ["type": "UPS", "status": "Discharging"]]) == .battery)
    }

    @Test func oddContents() throws {
        let odd = String(repeating: "\u{fffd}x", count: 10_000)
        for text in ["", "\n\n", odd, "\0", "1 2", "-", "Battery\0Mains"] {
            for file in ["type", "online", "status", "scope", "present"] {
                var files = battery("Discharging")
                files[file] = text
                _ = try supply(["BAT0": files, "AC": mains(text), "x": [:], "y": [file: text]])
            }
        }
        #expect(try supply(["BAT0": ["type": "battery", "status": "DISCHARGING"]]) == .battery)
        #expect(try supply(["AC": mains(odd), "BAT0": battery(odd)]) == .unknown)
    }
}
