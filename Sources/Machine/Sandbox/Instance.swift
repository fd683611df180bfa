import CWasmtime
import Glibc
import PotluckCore
import PotluckKit

/// An instance of a module, with its own memory. Only one thread may use it.
final class Instance {
    private let handle: OpaquePointer
    var limits: PluginLimits
    private var nanoseconds: Int64 { limits.time.nanoseconds }

    /// Carries the calls of imported functions; nil if the module imports none.
    private let bridge: RankBridge?

    init(of module: OpaquePointer, _ limits: PluginLimits, bridge: RankBridge? = nil) throws(SandboxError) {
        var why = potluck_wasmtime_message()
        var outcome = POTLUCK_WASMTIME_OK
        self.limits = limits
        self.bridge = bridge
        let made = potluck_wasmtime_instance_make(
            module, bridge?.imports, UInt64(limits.memory), limits.time.nanoseconds, &outcome, &why)
        guard let made else {
            let text = Wasmtime.text(why)
            // For example "memory minimum size of 8192 pages exceeds memory limits".
            if text.hasPrefix("memory minimum size") { throw .outOfMemory(limits.memory) }
            if text.contains("types incompatible") { throw .importTypes }
            throw outcome == POTLUCK_WASMTIME_TIME ? .outOfTime(limits.time) : .trap(text, Wasmtime.places(why))
        }
        handle = made
        bridge?.instance = made
        let version = UInt32(truncatingIfNeeded: try call("potluck_abi", []))
        switch (version, bridge == nil) {
        case (ModuleInterface.version, true), (ModuleInterface.ranksVersion, false): break
        case (ModuleInterface.version, false): throw .noRanks
        case (ModuleInterface.ranksVersion, true): throw .ranks
        default: throw .version(version)
        }
    }

    deinit { potluck_wasmtime_instance_free(handle) }

    /// Ends the call under way and all later ones. Any thread may do so.
    func stop() { potluck_wasmtime_stop(handle) }

    /// Whether any call so far produced a NaN from numbers.
    var madeNaN: Bool { potluck_wasmtime_made_nan(handle) }

    /// Calls a function that takes nothing and returns a record.
    func record(_ function: String) throws(SandboxError) -> [UInt64] {
        try answer(of: function, at: try call(function, [], wide: true))
    }

    /// Calls a function that takes a record and returns one, of at most `most` bytes.
    func record(
        _ function: String, _ request: [UInt64], most: Int = PluginLimits.largestAnswer
    ) throws(SandboxError) -> [UInt64] {
        let octets = request.count * 8
        guard let size = UInt32(exactly: octets) else { throw .answer(function: function, "the request is too long") }
        let address = try call("potluck_alloc", [size])
        guard address != 0, address % 8 == 0 else {
            throw .answer(function: "potluck_alloc", "an invalid address")
        }
        var count = 0
        let memory = potluck_wasmtime_memory(handle, &count)
        guard let memory, address <= UInt64(count), octets <= UInt64(count) - address else {
            throw .answer(function: "potluck_alloc", "an address outside its memory")
        }
        request.withUnsafeBytes { request in
            guard let start = request.baseAddress else { return }
            memcpy(memory + Int(address), start, request.count)
        }
        return try answer(of: function, at: try call(function, [UInt32(address), size], wide: true), most: most)
    }

    /// Returns what the module logged since the instance was created; empty if the module does not log.
    func log() throws(SandboxError) -> String {
        guard potluck_wasmtime_exports(handle, "potluck_log") else { return "" }
        let place = try call("potluck_log", [], wide: true)
        return String(decoding: try octets("potluck_log", place, most: PluginLimits.largestLog), as: UTF8.self)
    }

    /// Returns a number that changes when anything that outlives a call changes: a variable, or memory in use. Answers
    /// are invalid after it. Returns nil if the module cannot tell.
    func kept() throws(SandboxError) -> UInt64? {
        guard potluck_wasmtime_exports(handle, "potluck_kept") else { return nil }
        return try call("potluck_kept", [], wide: true)
    }

    /// The bytes at a place in the module's memory; empty if it has no such memory.
    func octets(at place: Range<Int>) -> [UInt8] {
        var count = 0
        guard let memory = potluck_wasmtime_memory(handle, &count), place.lowerBound >= 0, place.upperBound <= count
        else {
            return []
        }
        return Array(UnsafeBufferPointer(start: memory + place.lowerBound, count: place.count))
    }

    /// All of its memory; nil if that is more than `most` bytes.
    func image(most: Int) -> [UInt8]? {
        var count = 0
        guard let memory = potluck_wasmtime_memory(handle, &count), count <= most else { return nil }
        return Array(UnsafeBufferPointer(start: memory, count: count))
    }

    /// Makes its memory that of another instance. Returns false if it may not be that large.
    func copy(_ image: [UInt8]) -> Bool {
        guard potluck_wasmtime_grow(handle, image.count) else { return false }
        var count = 0
        guard let memory = potluck_wasmtime_memory(handle, &count), count == image.count else { return false }
        image.withUnsafeBytes { image in
            if let start = image.baseAddress { memcpy(memory, start, image.count) }
        }
        return true
    }

    private func answer(
        of function: String, at place: UInt64, most: Int = PluginLimits.largestAnswer
    ) throws(SandboxError) -> [UInt64] {
        let octets = try octets(function, place, most: most)
        guard octets.count % 8 == 0 else { throw .answer(function: function, "an incomplete slot") }
        return [UInt64](writing: octets.count / 8) { slots, used in
            if let from = octets.baseAddress, let to = slots.baseAddress { memcpy(to, from, octets.count) }
            used = octets.count / 8
        }
    }

    /// Returns the bytes at the place that the module gave, valid until the next call.
    private func octets(
        _ function: String, _ place: UInt64, most: Int
    ) throws(SandboxError) -> UnsafeBufferPointer<UInt8> {
        let (address, length) = (Int(place >> 32), Int(place & 0xffff_ffff))
        var count = 0
        guard let memory = potluck_wasmtime_memory(handle, &count) else { throw .export("no memory") }
        guard length <= most else {
            throw .answer(function: function, "\(length) bytes, more than the limit of \(most)")
        }
        guard address <= count, length <= count - address else {
            throw .answer(function: function, "\(length) bytes outside its memory")
        }
        return UnsafeBufferPointer(start: memory + address, count: length)
    }

    private func call(_ function: String, _ arguments: [UInt32], wide: Bool = false) throws(SandboxError) -> UInt64 {
        var why = potluck_wasmtime_message()
        var result: UInt64 = 0
        let outcome = potluck_wasmtime_call(
            handle, function, arguments, arguments.count, wide, &result, nanoseconds, &why)
        switch outcome {
        case POTLUCK_WASMTIME_OK: return result
        case POTLUCK_WASMTIME_TIME: throw .outOfTime(limits.time)
        case POTLUCK_WASMTIME_EXPORT: throw .export(Wasmtime.text(why))
        default:
            throw afterTrap(why)
        }
    }

    /// The number that a module of the kit returns when it is asked why it stopped itself.
    private enum Fault: UInt64 {
        case unknown = 0
        case noMemory = 1
        case systemRandomness = 2
        /// Nothing failed: a program with ranks called `exit(0)`.
        case ended = 3
        case tooDeep = 4
    }

    /// The most bytes of a sentence about a wrong call of the kit.
    private static let longestSentence = 200

    /// Returns why the kit refused a call, after a trap; nil if it did not.
    private func misuse() -> String? {
        guard potluck_wasmtime_exports(handle, "potluck_why") else { return nil }
        var ignored = potluck_wasmtime_message()
        var place: UInt64 = 0
        guard
            potluck_wasmtime_call(handle, "potluck_why", [], 0, true, &place, nanoseconds, &ignored)
                == POTLUCK_WASMTIME_OK,
            let octets = try? octets("potluck_why", place, most: Self.longestSentence), !octets.isEmpty
        else { return nil }
        return String(decoding: octets, as: UTF8.self).escapedForScreen
    }

    /// Returns the reason of a trap, which the module itself may know.
    private func afterTrap(_ why: potluck_wasmtime_message) -> SandboxError {
        if let sentence = misuse() { return .misuse(sentence, Wasmtime.places(why)) }
        if potluck_wasmtime_exports(handle, "potluck_fault") {
            var ignored = potluck_wasmtime_message()
            var said: UInt64 = 0
            let outcome = potluck_wasmtime_call(handle, "potluck_fault", [], 0, false, &said, nanoseconds, &ignored)
            switch outcome == POTLUCK_WASMTIME_OK ? Fault(rawValue: said) : nil {
            case .noMemory: return .outOfMemory(limits.memory)
            case .systemRandomness: return .randomness
            case .tooDeep: return .tooDeep
            case .ended where bridge != nil: return .rankCode(0)
            case .unknown, .ended: return .trap(Wasmtime.text(why), Wasmtime.places(why))
            case nil: break
            }
        }
        var used = 0
        _ = potluck_wasmtime_memory(handle, &used)
        // A module that gets no more memory usually crashes. Memory grows by doubling, so it may have stopped at half the
        // limit.
        return used > limits.memory / 2
            ? .outOfMemory(limits.memory) : .trap(Wasmtime.text(why), Wasmtime.places(why))
    }
}

extension Duration {
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds.multipliedReportingOverflow(by: 1_000_000_000).overflow
            ? .max : seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
