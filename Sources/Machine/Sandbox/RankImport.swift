import CWasmtime
import Glibc

/// The functions of the namespace `potluck_comm`, which a module of version 2 may import. docs/PLUGINS.md describes them.
enum RankImport: Int, CaseIterable, Sendable {
    case rank, size, time, log, abort, send, isend, receive, ireceive, probe, wait, test, checkpoint, restore, error

    static let space = "potluck_comm"

    /// The name in the module, which messages show as well.
    var name: String { "\(self)" }

    /// The number of parameters, which are integers of 32 bits.
    private var parameters: Int {
        switch self {
        case .rank, .size, .time: 0
        case .abort: 1
        case .log, .test, .checkpoint, .restore, .error: 2
        case .wait: 3
        case .receive, .send, .isend: 6
        case .ireceive, .probe: 5
        }
    }

    /// `i` for an integer of 32 bits, `d` for a real number of 64 bits; nil for nothing.
    private var result: Character? {
        switch self {
        case .rank, .size, .isend, .ireceive, .probe, .wait, .test, .restore: "i"
        case .time: "d"
        case .log, .abort, .send, .receive, .checkpoint, .error: nil
        }
    }

    /// The table of all functions for wasmtime. It lives as long as the program.
    nonisolated(unsafe) static let table: UnsafeMutablePointer<potluck_wasmtime_import> = {
        let table = UnsafeMutablePointer<potluck_wasmtime_import>.allocate(capacity: allCases.count)
        for function in allCases {
            (table + function.rawValue).initialize(
                to: potluck_wasmtime_import(
                    name: UnsafePointer(strdup(function.name)),
                    parameters: UnsafePointer(strdup(String(repeating: "i", count: function.parameters))),
                    result: function.result?.asciiValue.map { CChar($0) } ?? 0))
        }
        return table
    }()
    nonisolated(unsafe) static let spaceName = UnsafePointer<CChar>(strdup(space))
}
