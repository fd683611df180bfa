import Foundation

/// A temporary folder for one test, which is removed with this object.
final class Folder {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "potluck-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    subscript(_ name: String) -> String { path + "/" + name }

    static func octets(at path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

    func octets(_ name: String) throws -> [UInt8] { try Self.octets(at: self[name]) }

    func write(_ octets: [UInt8], _ name: String) throws {
        try Data(octets).write(to: URL(fileURLWithPath: self[name]))
    }

    var names: Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
    }
}
